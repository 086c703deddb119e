// Licensed under the MIT License. See LICENSE.

/// Values of native authentication that the service does not publish, or documents in two ways, with their defaults.
///
/// In a directory file and at the control API, times are whole seconds.
public struct NativeAuthSettings: Sendable, Codable, Equatable {
    /// How many digits a one-time code has.
    public var codeLength = 8
    /// How long a one-time code is good.
    public var codeLifetime: Duration = .seconds(600)
    /// The number of wrong codes that make the right one void.
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
    /// The time that an app waits between two polls of a new password.
    public var pollInterval: Duration = .seconds(2)
    /// The number of these requests that get `in_progress` before the new password is valid.
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
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

    /// Writes the settings, times in whole seconds.
    public func encode(to encoder: any Encoder) throws { try encode(members: encoder) }
}

extension NativeAuthSettings: FileEntry {
    /// The branches of V2, where one is chosen.
    private var chosenV2: NativeAuthV2Settings? {
        get { v2 == NativeAuthV2Settings() ? nil : v2 }
        set { v2 = newValue ?? NativeAuthV2Settings() }
    }

    static let form = EntryForm(
        "native settings",
        summary: "Lengths, limits and branches of native authentication. Times are seconds.",
        blank: NativeAuthSettings()
    ) { members in
        members.optional("codeLength", at: \.codeLength, as: .number(1...32))
            .summary("How many digits a one-time code has.")
        members.seconds("codeLifetime", at: \.codeLifetime).summary("How long a one-time code is good.")
        members.optional("wrongCodesAllowed", at: \.wrongCodesAllowed)
            .summary("How many wrong codes make the right one void.")
        members.optional("codesPerHalfHour", at: \.codesPerHalfHour)
            .summary("How many codes an address gets in half an hour. Without it, there is no limit.")
        members.seconds("resendInterval", at: \.resendInterval)
            .summary("How long an app should wait before another code; only announced.")
        members.seconds("continuationLifetime", at: \.continuationLifetime)
            .summary("How long a continuation token is good.")
        members.optional("wrongPasswordsAllowed", at: \.wrongPasswordsAllowed)
            .summary("How many wrong passwords lock an account.")
        members.seconds("lockoutDuration", at: \.lockoutDuration)
            .summary("How long an account stays locked (AADSTS50053).")
        members.seconds("pollInterval", at: \.pollInterval)
            .summary("How long an app waits between two polls of a new password.")
        members.optional("unfinishedPolls", at: \.unfinishedPolls)
            .summary("How many polls an app makes before the new password is valid.")
        members.optional("invalidContinuationNumber", at: \.invalidContinuationNumber, as: .number(1...9_999_999))
            .summary("AADSTS… of a token that is not valid.")
        members.optional("expiredContinuationNumber", at: \.expiredContinuationNumber, as: .number(1...9_999_999))
            .summary("AADSTS… of a token that is too old.")
        members.optional("attributesRequiredNumber", at: \.attributesRequiredNumber, as: .number(1...9_999_999))
            .summary("AADSTS… of missing attributes in V1.")
        members.optional("missingRedirectError", at: \.missingRedirectError)
            .summary("The error of V1 for challenge types without redirect.")
        members.optional("v2", at: \.chosenV2).summary("The branches of V2 for everybody.")
    }
}
