// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A cookie that signs a browser in at the sign-in page because the device is signed in. Linux only.
///
/// Send it only to the sign-in service, as a cookie or as a header with its ``name``. Its description omits the value.
public struct MSALSSOCookie: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    RedactedReflection
{
    /// The name, usually `x-ms-RefreshTokenCredential`.
    public let name: String
    /// The value. It is as sensitive as a password: with it, anyone can sign in as the user.
    public var value: String { content.exposed }

    private let content: Secret

    init(_ cookie: BrokerCookie) {
        name = cookie.name
        content = cookie.content
    }

    /// Only the name.
    public var description: String { "MSALSSOCookie(\(name))" }
    /// Only the name.
    public var debugDescription: String { description }
}
