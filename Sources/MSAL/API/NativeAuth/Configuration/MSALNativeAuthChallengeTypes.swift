// Licensed under the MIT License. See LICENSE.

/// The challenges to the user that an app has forms for.
///
/// They are announced to the service, with `redirect` always added. A user who needs another way is sent to the
/// browser.
public struct MSALNativeAuthChallengeTypes: OptionSet, Sendable {
    /// 1 for ``OOB``, 2 for ``password``, or their sum.
    public let rawValue: Int

    /// Types by their numbers; unknown bits mean nothing.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A one-time code, sent by e-mail or SMS.
    public static let OOB = MSALNativeAuthChallengeTypes(rawValue: 1)

    /// A password.
    public static let password = MSALNativeAuthChallengeTypes(rawValue: 2)
}
