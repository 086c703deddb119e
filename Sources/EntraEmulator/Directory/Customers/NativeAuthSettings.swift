// Licensed under the MIT License. See LICENSE.

/// Values of native authentication that the service does not document, or documents inconsistently, with their
/// defaults.
///
/// In a directory file and in the control API, durations are whole seconds.
public struct NativeAuthSettings: Sendable, Codable, Equatable {
    /// The number of digits of a one-time code.
    public var codeLength = 8
    /// How long a one-time code is valid.
    public var codeLifetime: Duration = .seconds(600)
    /// The number of wrong codes that invalidate the right one.
    public var wrongCodesAllowed = 5
    /// How many codes can be sent to one address in half an hour (AADSTS701014 beyond that); `nil` sets no limit.
    public var codesPerHalfHour: Int?
    /// How long an app should wait before it requests another code. The value is announced, but not enforced.
    public var resendInterval: Duration = .seconds(300)
    /// How long a continuation token is valid.
    public var continuationLifetime: Duration = .seconds(600)
    /// How many wrong passwords lock an account, including those on the browser pages.
    public var wrongPasswordsAllowed = 10
    /// How long an account stays locked (AADSTS50053).
    public var lockoutDuration: Duration = .seconds(60)
    /// How long an app waits between two polls for a new password.
    public var pollInterval: Duration = .seconds(2)
    /// The number of polls that return `in_progress` before the new password is valid.
    public var unfinishedPolls = 1
    /// The AADSTS number for an invalid continuation token; the service also uses 55000.
    public var invalidContinuationNumber = 55_200
    /// The AADSTS number for an expired continuation token; the service also uses 55112.
    public var expiredContinuationNumber = 552_003
    /// The AADSTS number for missing attributes; the service also uses 55102.
    public var attributesRequiredNumber = 55_106
    /// The `error` for challenge types without `redirect`; some pages document `invalid_request`.
    public var missingRedirectError = "unsupported_challenge_type"
    /// The branches of native authentication V2.
    public var v2 = NativeAuthV2Settings()

    /// Creates settings with the default values.
    public init() {}

    /// Decodes settings; omitted members have the default values.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

    /// Encodes the settings, with durations in whole seconds.
    public func encode(to encoder: any Encoder) throws { try encode(members: encoder) }
}

extension NativeAuthSettings: FileEntry {
    /// The branches of V2 if any is selected.
    private var chosenV2: NativeAuthV2Settings? {
        get { v2 == NativeAuthV2Settings() ? nil : v2 }
        set { v2 = newValue ?? NativeAuthV2Settings() }
    }

    static let form = EntryForm(
        "native settings",
        summary: "Limits and branches of native authentication. Durations are in seconds.",
        blank: NativeAuthSettings()
    ) { members in
        members.optional("codeLength", at: \.codeLength, as: .number(1...32))
            .summary("The number of digits of a one-time code.")
        members.seconds("codeLifetime", at: \.codeLifetime).summary("How long a one-time code is valid.")
        members.optional("wrongCodesAllowed", at: \.wrongCodesAllowed)
            .summary("How many wrong codes invalidate the right one.")
        members.optional("codesPerHalfHour", at: \.codesPerHalfHour)
            .summary("How many codes can be sent to an address in half an hour. Unlimited by default.")
        members.seconds("resendInterval", at: \.resendInterval)
            .summary("How long an app should wait before it requests another code; not enforced.")
        members.seconds("continuationLifetime", at: \.continuationLifetime)
            .summary("How long a continuation token is valid.")
        members.optional("wrongPasswordsAllowed", at: \.wrongPasswordsAllowed)
            .summary("How many wrong passwords lock an account.")
        members.seconds("lockoutDuration", at: \.lockoutDuration)
            .summary("How long an account stays locked (AADSTS50053).")
        members.seconds("pollInterval", at: \.pollInterval)
            .summary("How long an app waits between two polls for a new password.")
        members.optional("unfinishedPolls", at: \.unfinishedPolls)
            .summary("How many polls return in_progress before the new password is valid.")
        members.optional("invalidContinuationNumber", at: \.invalidContinuationNumber, as: .number(1...9_999_999))
            .summary("The AADSTS number for an invalid continuation token.")
        members.optional("expiredContinuationNumber", at: \.expiredContinuationNumber, as: .number(1...9_999_999))
            .summary("The AADSTS number for an expired continuation token.")
        members.optional("attributesRequiredNumber", at: \.attributesRequiredNumber, as: .number(1...9_999_999))
            .summary("The AADSTS number for missing attributes in V1.")
        members.optional("missingRedirectError", at: \.missingRedirectError)
            .summary("The V1 error for challenge types without redirect.")
        members.optional("v2", at: \.chosenV2).summary("The default branches of V2.")
    }
}
