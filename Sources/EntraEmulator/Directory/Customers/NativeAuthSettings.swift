// Licensed under the MIT License. See LICENSE.

/// Values of native authentication that the service does not publish, or documents in two ways, with their defaults.
///
/// In a directory file and at the control API, times are whole seconds.
public struct NativeAuthSettings: Sendable, Codable, Equatable {
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
    /// The branches of native authentication V2.
    public var v2 = NativeAuthV2Settings()

    /// The usual values.
    public init() {}

    /// Reads settings; what is left out has the usual value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let usual = Self()
        func seconds(_ key: CodingKeys, default usual: Duration) throws -> Duration {
            try members.value(key).map { .seconds($0 as Int) } ?? usual
        }
        codeLength = try members.value(.codeLength, default: usual.codeLength)
        codeLifetime = try seconds(.codeLifetime, default: usual.codeLifetime)
        wrongCodesAllowed = try members.value(.wrongCodesAllowed, default: usual.wrongCodesAllowed)
        codesPerHalfHour = try members.value(.codesPerHalfHour)
        resendInterval = try seconds(.resendInterval, default: usual.resendInterval)
        continuationLifetime = try seconds(.continuationLifetime, default: usual.continuationLifetime)
        wrongPasswordsAllowed = try members.value(.wrongPasswordsAllowed, default: usual.wrongPasswordsAllowed)
        lockoutDuration = try seconds(.lockoutDuration, default: usual.lockoutDuration)
        pollInterval = try seconds(.pollInterval, default: usual.pollInterval)
        unfinishedPolls = try members.value(.unfinishedPolls, default: usual.unfinishedPolls)
        invalidContinuationNumber = try members.value(
            .invalidContinuationNumber,
            default: usual.invalidContinuationNumber
        )
        expiredContinuationNumber = try members.value(
            .expiredContinuationNumber,
            default: usual.expiredContinuationNumber
        )
        attributesRequiredNumber = try members.value(.attributesRequiredNumber, default: usual.attributesRequiredNumber)
        missingRedirectError = try members.value(.missingRedirectError, default: usual.missingRedirectError)
        v2 = try members.value(.v2, default: usual.v2)
    }

    /// Writes the settings, times in whole seconds.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(codeLength, forKey: .codeLength)
        try members.encode(codeLifetime.wholeSeconds, forKey: .codeLifetime)
        try members.encode(wrongCodesAllowed, forKey: .wrongCodesAllowed)
        try members.encodeIfPresent(codesPerHalfHour, forKey: .codesPerHalfHour)
        try members.encode(resendInterval.wholeSeconds, forKey: .resendInterval)
        try members.encode(continuationLifetime.wholeSeconds, forKey: .continuationLifetime)
        try members.encode(wrongPasswordsAllowed, forKey: .wrongPasswordsAllowed)
        try members.encode(lockoutDuration.wholeSeconds, forKey: .lockoutDuration)
        try members.encode(pollInterval.wholeSeconds, forKey: .pollInterval)
        try members.encode(unfinishedPolls, forKey: .unfinishedPolls)
        try members.encode(invalidContinuationNumber, forKey: .invalidContinuationNumber)
        try members.encode(expiredContinuationNumber, forKey: .expiredContinuationNumber)
        try members.encode(attributesRequiredNumber, forKey: .attributesRequiredNumber)
        try members.encode(missingRedirectError, forKey: .missingRedirectError)
        if v2 != NativeAuthV2Settings() { try members.encode(v2, forKey: .v2) }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case codeLength, codeLifetime, wrongCodesAllowed, codesPerHalfHour, resendInterval, continuationLifetime
        case wrongPasswordsAllowed, lockoutDuration, pollInterval, unfinishedPolls, invalidContinuationNumber
        case expiredContinuationNumber, attributesRequiredNumber, missingRedirectError, v2
    }
}
