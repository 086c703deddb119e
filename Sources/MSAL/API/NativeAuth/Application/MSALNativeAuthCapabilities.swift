// Licensed under the MIT License. See LICENSE.

/// The additional sign-in steps for which an app has forms.
///
/// Without a capability, the service sends users who need that step to the browser.
public struct MSALNativeAuthCapabilities: OptionSet, Sendable {
    /// 1 for ``mfaRequired``, 2 for ``registrationRequired``, or their sum.
    public let rawValue: Int

    /// Creates capabilities from their numbers; unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The app supports second factors.
    public static let mfaRequired = MSALNativeAuthCapabilities(rawValue: 1)

    /// The app lets users register a strong authentication method.
    public static let registrationRequired = MSALNativeAuthCapabilities(rawValue: 2)
}
