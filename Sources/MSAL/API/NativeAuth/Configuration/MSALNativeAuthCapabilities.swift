// Licensed under the MIT License. See LICENSE.

/// The additional steps of a sign-in that an app has forms for.
///
/// Without a capability the service sends users who need that step to the browser.
public struct MSALNativeAuthCapabilities: OptionSet, Sendable {
    /// 1 for ``mfaRequired``, 2 for ``registrationRequired``, or their sum.
    public let rawValue: Int

    /// Capabilities by their numbers; unknown bits mean nothing.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The app asks for a second factor.
    public static let mfaRequired = MSALNativeAuthCapabilities(rawValue: 1)

    /// The app lets users register a strong authentication method.
    public static let registrationRequired = MSALNativeAuthCapabilities(rawValue: 2)
}
