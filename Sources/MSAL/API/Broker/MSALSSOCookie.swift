// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A cookie that signs a browser in at the sign-in page, because the device is signed in. Linux only.
///
/// Send it to the sign-in service alone, as a cookie or as a header of its ``name``. It prints without its value.
public struct MSALSSOCookie: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, ClosedMirror {
    /// The name, mostly `x-ms-RefreshTokenCredential`.
    public let name: String
    /// The value. It is as good as a password: with it anyone is signed in as the user.
    public var value: String { content.exposed }

    private let content: Secret

    init(_ cookie: BrokerCookie) {
        name = cookie.name
        content = cookie.content
    }

    /// The name alone.
    public var description: String { "MSALSSOCookie(\(name))" }
    /// The name alone.
    public var debugDescription: String { description }
}
