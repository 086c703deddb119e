// Licensed under the MIT License. See LICENSE.

/// The challenges for which an app has forms.
///
/// They are announced to the service; `redirect` is always added. A user who needs another challenge is sent to the
/// browser.
public struct MSALNativeAuthChallengeTypes: OptionSet, Sendable {
    /// 1 for ``OOB``, 2 for ``password``, or their sum.
    public let rawValue: Int

    /// Creates types from their numbers; unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A one-time code, sent by email or SMS.
    public static let OOB = MSALNativeAuthChallengeTypes(rawValue: 1)

    /// A password.
    public static let password = MSALNativeAuthChallengeTypes(rawValue: 2)
}
