// Licensed under the MIT License. See LICENSE.

/// The branches of native authentication V2, for tests of what an app makes of each.
///
/// A branch can be chosen for everybody (``NativeAuthSettings/v2``), for the customers of an application
/// (``NativePolicy/v2``) and for one customer (``CustomerProfile/v2``). The narrowest choice is used; `nil` leaves it
/// to the wider one. Before a customer is known, which is at the entry and in a sign-up, there is no choice of a
/// customer.
///
/// V2 is a preview of the service. While it is, a minor version may change these members.
public struct NativeAuthV2Settings: Sendable, Codable, Equatable {
    /// The status of an answer that wants more from the app.
    public enum Status: Int, Sendable, Codable, CaseIterable, FileValue {
        /// The answer has the status 200.
        case ok = 200
        /// The answer has the status 401.
        case unauthorized = 401
    }

    /// The names of the members of the entry's answer.
    public enum EntryNames: String, Sendable, Codable, CaseIterable, FileValue {
        /// The names are `continuation_token`, `sign_in` and so on.
        case snake
        /// The names are `continuationToken`, `signIn` and so on.
        case camel
        /// The token is `continuationToken`, and the links stand below `_links`.
        case hal
    }

    /// The form of the addresses of links.
    public enum LinkStyle: String, Sendable, Codable, CaseIterable, FileValue {
        /// A link is `/fabrikam.onmicrosoft.com/api/…`, with the tenant as the app writes it.
        case relative
        /// A link is `/22222222-…/api/…`, with the id of the tenant.
        case relativeTenantID = "relativeTenantId"
        /// A link is `/{tenant}/api/…`, and the app fills in the tenant.
        case template
        /// A link is `https://…`, with the host that the app called.
        case absolute
    }

    /// The name of the continuation token.
    public enum TokenName: String, Sendable, Codable, CaseIterable, FileValue {
        /// The token is `continuationToken`.
        case camel
        /// The token is `continuation_token`.
        case snake
        /// The token has both names, with the same value.
        case both
    }

    /// The form of an error.
    public enum ErrorForm: String, Sendable, Codable, CaseIterable, FileValue {
        /// The error is an object `error` with `code`, `message` and `innerError`.
        case object
        /// The error is a text `error`. Beside it stand `error_description` and `suberror`, as OAuth has it.
        case flat
    }

    /// The name of the correlation id in an error object.
    public enum CorrelationName: String, Sendable, Codable, CaseIterable, FileValue {
        /// The id is `correlationId`.
        case camel
        /// The id is `correlation_id`.
        case snake
    }

    /// The step at which the second factor is asked for.
    public enum SecondFactorPosition: String, Sendable, Codable, CaseIterable, FileValue {
        /// The service asks after the first factor. In a reset, it asks before the new password.
        case afterFirst
        /// The service asks when the app wants the code of the tokens.
        case atResume
        /// In a reset, the service asks in the response to a poll after the new password. In other flows, it asks after
        /// the first factor.
        case inPoll
    }

    /// The risk check between the choice of a telephone and the code.
    public enum RiskCheck: String, Sendable, Codable, CaseIterable, FileValue {
        /// There is no risk check.
        case off = "none"
        /// The telephone passes.
        case pass
        /// The telephone is refused (AADSTS550024).
        case block
        /// The telephone passes. Then a second check follows, which no app expects.
        case twice
    }

    /// The words of a registration. Services use different ones.
    public struct RegistrationWords: Sendable, Codable, Equatable {
        /// The word for the choice of a method.
        public enum Offer: String, Sendable, Codable, CaseIterable, FileValue {
            /// The word is `enroll`.
            case enroll
            /// The word is `register`.
            case register
        }

        /// The word for the code.
        public enum Check: String, Sendable, Codable, CaseIterable, FileValue {
            /// The word is `activate`, and the code stands in `code`.
            case activate
            /// The word is `verify`, and the code stands in `otp`.
            case verify
        }

        /// The word for the choice of a method.
        public var offer: Offer
        /// The word for the code.
        public var check: Check
        /// Whether a code is sent even to the address that the customer signs in with.
        public var knownContactNeedsCode: Bool

        /// Describes the words.
        public init(offer: Offer = .enroll, check: Check = .activate, knownContactNeedsCode: Bool = true) {
            self.offer = offer
            self.check = check
            self.knownContactNeedsCode = knownContactNeedsCode
        }

        /// Reads the words; everything may be left out.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// The response to a sign-up with an address that already has an account.
    public enum ExistingAccount: String, Sendable, Codable, CaseIterable, FileValue {
        /// The response is the error AADSTS1003037.
        case error
        /// The response offers the first factors of the account, as at a sign-in.
        case continueAsSignIn
    }

    /// The responses to the polls that follow a new password.
    public enum Polls: String, Sendable, Codable, CaseIterable, FileValue {
        /// The polls end well, after ``NativeAuthSettings/unfinishedPolls``.
        case ends
        /// The next poll is an error (AADSTS50000).
        case fails
        /// The polls never end.
        case hangs
        /// There are no polls. The new password is valid at once.
        case skipped
    }

    /// The form of the response that sends an app to the browser.
    public enum Fallback: String, Sendable, Codable, CaseIterable, FileValue {
        /// No response sends the app to the browser.
        case off = "none"
        /// The response has the state `webFallbackRequired`.
        case state
        /// The response is the error `redirect_to_web`.
        case error
        /// The response is the error `invalid_grant` with the suberror `web_redirect_required`.
        case suberror
        /// The response is the error `invalidGrant` with the inner error `webRedirectRequired`.
        case inner
    }

    /// The step at which an app is sent to the browser.
    public enum FallbackStep: String, Sendable, Codable, CaseIterable, FileValue {
        /// The step in which the app names the customer.
        case start
        /// The step after the first factor.
        case afterFirst
        /// The step in which the app asks for the code of the tokens.
        case atResume
    }

    /// The relations of links. A relation says what a call of the link does.
    public enum Relation: String, Sendable, Codable, CaseIterable, FileValue {
        /// The call asks for the password, or for a code.
        case challenge
        /// The call sends the password, or the code.
        case verify
        /// The call asks for another code.
        case resend
        /// The call sends a new password.
        case update
        /// The call asks whether the new password is valid yet.
        case poll
        /// The call gets the code of the tokens.
        case `continue`
        /// The call sends attributes.
        case submitAttributes
        /// The call sends the contact of a method that the customer registers.
        case enroll
        /// The call of ``enroll``, under the other name that the service has for it.
        case register
        /// The call sends the code of a method that the customer registers.
        case activate
        /// The call checks the risk of a telephone.
        case riskverify
        /// The call begins a sign-in. The entry has this link and the next two.
        case signIn = "sign_in"
        /// The call begins a sign-up.
        case signUp = "sign_up"
        /// The call begins a password reset.
        case resetPassword = "reset_password"
    }

    /// A wrong address for one of the links.
    public struct HostileLink: Sendable, Codable, Equatable {
        /// The relation of the link that gets the wrong address.
        public var relation: Relation
        /// The wrong address. It may be any text.
        public var address: String

        /// Describes a link.
        public init(relation: Relation, address: String) {
            self.relation = relation
            self.address = address
        }

        /// Reads a link; both members are required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// Whether V2 is switched on. It is, unless you say otherwise. Without V2, the entry answers `invalid_client`.
    public var isEnabled: Bool?
    /// The status of the entry's answer; 401 unless you say otherwise.
    public var entryStatus: Status?
    /// The names of the members of the entry's answer; ``EntryNames/snake`` unless you say otherwise.
    public var entryNames: EntryNames?
    /// The form of link addresses; ``LinkStyle/relative`` unless you say otherwise.
    public var linkStyle: LinkStyle?
    /// The name of the continuation token after the entry; ``TokenName/camel`` unless you say otherwise.
    public var tokenName: TokenName?
    /// The status of answers with `interactionRequired`; 200 unless you say otherwise.
    public var interactionStatus: Status?
    /// Whether the service offers a code to an address without an account, in place of an error. The code never comes.
    public var hidesUnknownUsers: Bool?
    /// The first factors that the service offers, in this order: `email`, `password`, and `sms` in a reset. Any other
    /// text is a factor that no app supports. `nil` offers the customer's credential.
    public var firstFactors: [String]?
    /// Whether the password has a `challenge` link, too. The link asks for the password.
    public var passwordChallengeLink: Bool?
    /// The types of second factors, in this order. The service offers the customer's methods of these types. Any other
    /// text is a type that no app supports. An empty list asks for none. `nil` follows the customer and the
    /// application.
    public var secondFactors: [String]?
    /// The types of methods, `email` and `sms`, that a customer without a method has to register. An empty list asks
    /// for nothing. `nil` follows the customer and the application.
    public var registration: [String]?
    /// The step at which the second factor is asked for; ``SecondFactorPosition/afterFirst`` unless you say otherwise.
    public var secondFactorPosition: SecondFactorPosition?
    /// The risk check of telephones; ``RiskCheck/off`` unless you say otherwise.
    public var riskCheck: RiskCheck?
    /// The words of a registration.
    public var registrationWords: RegistrationWords?
    /// The response to a sign-up with an address that already has an account; ``ExistingAccount/error`` by default.
    public var existingAccountAtSignUp: ExistingAccount?
    /// The attributes that a sign-up asks for, in place of the application's. If they are chosen for a customer, the
    /// next sign-in asks for them.
    public var attributesRequested: [AttributeRule]?
    /// Whether the service asks for the same attributes once more after the app gave them.
    public var asksAgain: Bool?
    /// The responses to the polls that follow a new password. `nil` follows ``CustomerProfile/resetOutcome``.
    public var polls: Polls?
    /// Whether the answer names ``NativeAuthSettings/pollInterval``, in milliseconds.
    public var announcesPollInterval: Bool?
    /// The form of the response that sends an app to the browser; ``Fallback/off`` by default.
    public var fallback: Fallback?
    /// The step at which an app is sent to the browser; ``FallbackStep/start`` by default.
    public var fallbackStep: FallbackStep?
    /// Whether the last answer has a link to the address that gives the code.
    public var continueLink: Bool?
    /// The form of errors; ``ErrorForm/object`` unless you say otherwise.
    public var errorForm: ErrorForm?
    /// The name of the correlation id in errors; ``CorrelationName/camel`` unless you say otherwise.
    public var correlationName: CorrelationName?
    /// Whether numbers are written as texts.
    public var numbersAsText: Bool?
    /// Whether answers have members and links that no specification knows.
    public var unknownMembers: Bool?
    /// Whether lists of methods have one more, of a type that no app supports.
    public var extraMethods: Bool?
    /// A wrong address for one of the links. It tests what a client refuses.
    public var hostileLink: HostileLink?

    /// Chooses no branch.
    public init() {}

    /// Reads settings; everything may be left out.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
}

extension NativeAuthV2Settings: FileEntry {
    static let form = EntryForm(
        "native V2",
        summary: "Branches of native authentication V2. A customer's count before the application's and everybody's.",
        blank: NativeAuthV2Settings()
    ) { members in
        let usual = FlowBranches()
        members.optional("isEnabled", at: \.isEnabled, default: usual.isEnabled)
            .summary("Whether V2 is there (invalid_client otherwise).")
        members.optional("entryStatus", at: \.entryStatus, default: usual.entryStatus)
            .summary("The status of the entry.")
        members.optional("entryNames", at: \.entryNames, default: usual.entryNames)
            .summary("The names of the entry's members, or its links below _links.")
        members.optional("linkStyle", at: \.linkStyle, default: usual.linkStyle).summary("The form of link addresses.")
        members.optional("tokenName", at: \.tokenName, default: usual.tokenName)
            .summary("The name of the continuation token.")
        members.optional("interactionStatus", at: \.interactionStatus, default: usual.interactionStatus)
            .summary("The status of answers that want more.")
        members.optional("hidesUnknownUsers", at: \.hidesUnknownUsers, default: usual.hidesUnknownUsers)
            .summary("Whether an unknown address is offered a code that never comes.")
        members.optional("firstFactors", at: \.firstFactors)
            .summary("The first factors, such as email and password. Without it, the credential.")
        members.optional("passwordChallengeLink", at: \.passwordChallengeLink, default: usual.passwordChallengeLink)
            .summary("Whether the password has a challenge link, too.")
        members.optional("secondFactors", at: \.secondFactors)
            .summary("The types of second factors. Without it, as the customer has them.")
        members.optional("registration", at: \.registration, as: .list(.choice(["email", "sms"])))
            .summary("The methods to register. Without it, as the application says.")
        members.optional("secondFactorPosition", at: \.secondFactorPosition, default: usual.secondFactorPosition)
            .summary("The step at which the second factor is asked for.")
        members.optional("riskCheck", at: \.riskCheck, default: usual.riskCheck)
            .summary("The risk check of telephones.")
        members.optional("registrationWords", at: \.registrationWords)
            .summary("The words of a registration, for which services use different ones.")
        members.optional(
            "existingAccountAtSignUp",
            at: \.existingAccountAtSignUp,
            default: usual.existingAccountAtSignUp
        )
        .summary("What a sign-up with the address of an account leads to.")
        members.optional("attributesRequested", at: \.attributesRequested)
            .summary("What is asked for in place of the application's attributes.")
        members.optional("asksAgain", at: \.asksAgain, default: usual.asksAgain)
            .summary("Whether the same attributes are asked for twice.")
        members.optional("polls", at: \.polls)
            .summary("What happens after a new password. Without it, as the customer's resetOutcome says.")
        members.optional("announcesPollInterval", at: \.announcesPollInterval, default: usual.announcesPollInterval)
            .summary("Whether the time between polls is named.")
        members.optional("fallback", at: \.fallback, default: usual.fallback)
            .summary("How an app is told to go on in the browser.")
        members.optional("fallbackStep", at: \.fallbackStep, default: usual.fallbackStep).summary("When it is told so.")
        members.optional("continueLink", at: \.continueLink, default: usual.continueLink)
            .summary("Whether the last answer links to the address of the code.")
        members.optional("errorForm", at: \.errorForm, default: usual.errorForm).summary("The form of errors.")
        members.optional("correlationName", at: \.correlationName, default: usual.correlationName)
            .summary("The name of the correlation id in an error object.")
        members.optional("numbersAsText", at: \.numbersAsText, default: usual.numbersAsText)
            .summary("Whether numbers are written as texts.")
        members.optional("unknownMembers", at: \.unknownMembers, default: usual.unknownMembers)
            .summary("Whether answers have members that no specification knows.")
        members.optional("extraMethods", at: \.extraMethods, default: usual.extraMethods)
            .summary("Whether lists have one more method, which no app supports.")
        members.optional("hostileLink", at: \.hostileLink)
            .summary("An address in the place of a link's, for tests of clients.")
    }
}

extension NativeAuthV2Settings.RegistrationWords: FileEntry {
    static let form = EntryForm(
        "registration words",
        summary: "The words of a registration.",
        blank: NativeAuthV2Settings.RegistrationWords()
    ) { members in
        members.optional("offer", at: \.offer).summary("The word for the choice of a method.")
        members.optional("check", at: \.check).summary("The word for the code.")
        members.optional("knownContactNeedsCode", at: \.knownContactNeedsCode)
            .summary("Whether a code goes even to the customer's own address.")
    }
}

extension NativeAuthV2Settings.HostileLink: FileEntry {
    static let form = EntryForm(
        "hostile link",
        summary: "An address in the place of a link's.",
        blank: NativeAuthV2Settings.HostileLink(relation: .challenge, address: "")
    ) { members in
        members.required("relation", at: \.relation).summary("The relation of the link.")
        members.required("address", at: \.address).summary("The address, whatever it is.")
    }
}
