// Licensed under the MIT License. See LICENSE.

/// The settings of native authentication in a directory file.
extension FileObject {
    private static let seconds = FileShape.number(0...31_536_000)
    private static let count = FileShape.number(0...1_000)

    /// `native` of a directory.
    static let nativeSettings = FileObject(
        "native settings",
        summary: "Lengths, limits and branches of native authentication. Times are seconds.",
        keys: NativeAuthSettings.CodingKeys.self
    ) { key in
        switch key {
        case .codeLength: .optional(.number(1...32), default: 8, summary: "How many digits a one-time code has.")
        case .codeLifetime: .optional(seconds, default: 600, summary: "How long a one-time code is good.")
        case .wrongCodesAllowed:
            .optional(count, default: 5, summary: "How many wrong codes make the right one void.")
        case .codesPerHalfHour:
            .optional(count, summary: "How many codes an address gets in half an hour. Without it, there is no limit.")
        case .resendInterval:
            .optional(
                seconds,
                default: 300,
                summary: "How long an app should wait before another code; only announced."
            )
        case .continuationLifetime:
            .optional(seconds, default: 600, summary: "How long a continuation token is good.")
        case .wrongPasswordsAllowed:
            .optional(count, default: 10, summary: "How many wrong passwords lock an account.")
        case .lockoutDuration:
            .optional(seconds, default: 60, summary: "How long an account stays locked (AADSTS50053).")
        case .pollInterval:
            .optional(seconds, default: 2, summary: "How long an app waits between two polls of a new password.")
        case .unfinishedPolls:
            .optional(count, default: 1, summary: "How many polls end before the new password counts.")
        case .invalidContinuationNumber:
            .optional(.number(1...9_999_999), default: 55_200, summary: "AADSTS… of a token that is not valid.")
        case .expiredContinuationNumber:
            .optional(.number(1...9_999_999), default: 552_003, summary: "AADSTS… of a token that is too old.")
        case .attributesRequiredNumber:
            .optional(.number(1...9_999_999), default: 55_106, summary: "AADSTS… of missing attributes in V1.")
        case .missingRedirectError:
            .optional(
                .text,
                default: "unsupported_challenge_type",
                summary: "The error of V1 for challenge types without redirect."
            )
        case .v2: .optional(.object(.nativeV2), summary: "The branches of V2 for everybody.")
        }
    }

    /// `v2` of native settings, of an application's policy, and of a customer.
    static let nativeV2 = FileObject(
        "native V2",
        summary: "Branches of native authentication V2. A customer's count before the application's and everybody's.",
        keys: NativeAuthV2Settings.CodingKeys.self
    ) { key in
        switch key {
        case .isEnabled: .optional(.flag, default: true, summary: "Whether V2 is there (invalid_client otherwise).")
        case .entryStatus: .optional(.numberChoice([200, 401]), default: 401, summary: "The status of the entry.")
        case .entryNames:
            .optional(
                .choice(of: NativeAuthV2Settings.EntryNames.self),
                default: "snake",
                summary: "The names of the entry's members, or its links below _links."
            )
        case .linkStyle:
            .optional(
                .choice(of: NativeAuthV2Settings.LinkStyle.self),
                default: "relative",
                summary: "The form of link addresses."
            )
        case .tokenName:
            .optional(
                .choice(of: NativeAuthV2Settings.TokenName.self),
                default: "camel",
                summary: "The name of the continuation token."
            )
        case .interactionStatus:
            .optional(.numberChoice([200, 401]), default: 200, summary: "The status of answers that want more.")
        case .hidesUnknownUsers:
            .optional(.flag, default: false, summary: "Whether an unknown address is offered a code that never comes.")
        case .firstFactors:
            .optional(.texts, summary: "The first factors, such as email and password. Without it, the credential.")
        case .passwordChallengeLink:
            .optional(.flag, default: false, summary: "Whether the password has a challenge link, too.")
        case .secondFactors:
            .optional(.texts, summary: "The types of second factors. Without it, as the customer has them.")
        case .registration:
            .optional(
                .list(.choice(["email", "sms"])),
                summary: "The methods to register. Without it, as the application says."
            )
        case .secondFactorPosition:
            .optional(
                .choice(of: NativeAuthV2Settings.SecondFactorPosition.self),
                default: "afterFirst",
                summary: "Where the second factor comes."
            )
        case .riskCheck:
            .optional(
                .choice(of: NativeAuthV2Settings.RiskCheck.self),
                default: "none",
                summary: "The risk check of telephones."
            )
        case .registrationWords:
            .optional(.object(.registrationWords), summary: "The words of a registration, of which several are seen.")
        case .existingAccountAtSignUp:
            .optional(
                .choice(of: NativeAuthV2Settings.ExistingAccount.self),
                default: "error",
                summary: "What a sign-up with the address of an account leads to."
            )
        case .attributesRequested:
            .optional(
                .list(.object(.attribute)),
                summary: "What is asked for in place of the application's attributes."
            )
        case .asksAgain: .optional(.flag, default: false, summary: "Whether the same attributes are asked for twice.")
        case .polls:
            .optional(
                .choice(of: NativeAuthV2Settings.Polls.self),
                summary: "What happens after a new password. Without it, as the customer's resetOutcome says."
            )
        case .announcesPollInterval:
            .optional(.flag, default: false, summary: "Whether the time between polls is named.")
        case .fallback:
            .optional(
                .choice(of: NativeAuthV2Settings.Fallback.self),
                default: "none",
                summary: "How an app is told to go on in the browser."
            )
        case .fallbackStep:
            .optional(
                .choice(of: NativeAuthV2Settings.FallbackStep.self),
                default: "start",
                summary: "When it is told so."
            )
        case .continueLink:
            .optional(.flag, default: true, summary: "Whether the last answer links to the address of the code.")
        case .errorForm:
            .optional(
                .choice(of: NativeAuthV2Settings.ErrorForm.self),
                default: "object",
                summary: "The form of errors."
            )
        case .correlationName:
            .optional(
                .choice(of: NativeAuthV2Settings.CorrelationName.self),
                default: "camel",
                summary: "The name of the correlation id in an error object."
            )
        case .numbersAsText: .optional(.flag, default: false, summary: "Whether numbers are written as texts.")
        case .unknownMembers:
            .optional(.flag, default: false, summary: "Whether answers have members that no specification knows.")
        case .extraMethods:
            .optional(.flag, default: false, summary: "Whether lists have one more method, which no app supports.")
        case .hostileLink:
            .optional(.object(.hostileLink), summary: "An address in the place of a link's, for tests of clients.")
        }
    }

    /// `registrationWords` of `v2`.
    static let registrationWords = FileObject(
        "registration words",
        summary: "The words of a registration.",
        keys: NativeAuthV2Settings.RegistrationWords.CodingKeys.self
    ) { key in
        switch key {
        case .offer:
            .optional(
                .choice(of: NativeAuthV2Settings.RegistrationWords.Offer.self),
                default: "enroll",
                summary: "The word for the choice of a method."
            )
        case .check:
            .optional(
                .choice(of: NativeAuthV2Settings.RegistrationWords.Check.self),
                default: "activate",
                summary: "The word for the code."
            )
        case .knownContactNeedsCode:
            .optional(.flag, default: true, summary: "Whether a code goes even to the customer's own address.")
        }
    }

    /// `hostileLink` of `v2`.
    static let hostileLink = FileObject(
        "hostile link",
        summary: "An address in the place of a link's.",
        keys: NativeAuthV2Settings.HostileLink.CodingKeys.self
    ) { key in
        switch key {
        case .relation:
            .required(.choice(of: NativeAuthV2Settings.Relation.self), summary: "The relation of the link.")
        case .address: .required(.text, summary: "The address, whatever it is.")
        }
    }
}
