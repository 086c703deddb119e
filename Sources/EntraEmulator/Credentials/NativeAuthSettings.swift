// Licensed under the MIT License. See LICENSE.

/// Values of native authentication that the service does not publish, or documents in two ways, with their defaults.
public struct NativeAuthSettings: Sendable {
    /// How many digits a one-time code has.
    public var codeLength = 8
    /// How long a one-time code is good.
    public var codeLifetime: Duration = .seconds(600)
    /// How many wrong codes make the right one void.
    public var wrongCodesAllowed = 5
    /// How many codes one address gets in half an hour (AADSTS701014 for more); `nil` sets no limit.
    public var codesPerHalfHour: Int?
    /// How long an app should wait before it asks for another code; only announced.
    public var resendInterval: Duration = .seconds(300)
    /// How long a continuation token is good.
    public var continuationLifetime: Duration = .seconds(600)
    /// How many wrong passwords lock an account; the pages of the browser count too.
    public var wrongPasswordsAllowed = 10
    /// How long an account stays locked (AADSTS50053).
    public var lockoutDuration: Duration = .seconds(60)
    /// How long an app waits between two polls of a new password.
    public var pollInterval: Duration = .seconds(2)
    /// How many of these requests get `in_progress` before the new password counts.
    public var unfinishedPolls = 1
    /// The AADSTS number of a continuation token that is not valid; 55000 occurs too.
    public var invalidContinuationNumber = 55_200
    /// The AADSTS number of a continuation token that is too old; 55112 occurs too.
    public var expiredContinuationNumber = 552_003
    /// The AADSTS number of missing attributes; 55102 occurs too.
    public var attributesRequiredNumber = 55_106
    /// The `error` for challenge types without `redirect`; some pages print `invalid_request`.
    public var missingRedirectError = "unsupported_challenge_type"

    /// The usual values.
    public init() {}
}
