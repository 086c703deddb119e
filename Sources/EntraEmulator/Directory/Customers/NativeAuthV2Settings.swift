// Licensed under the MIT License. See LICENSE.

/// The branches of native authentication V2, for testing how an app handles each.
///
/// A branch can be set as a default (``NativeAuthSettings/v2``), for the customers of an application
/// (``NativePolicy/v2``), and for a single customer (``CustomerProfile/v2``). The most specific setting wins; `nil`
/// inherits the more general one. While the customer is still unknown, at the entry point and in a sign-up, a
/// customer's setting has no effect.
///
/// V2 is a preview of the service. Until it is released, a minor version may change these members.
public struct NativeAuthV2Settings: Sendable, Codable, Equatable {
    /// The status of a response that requires more from the app.
    public enum Status: Int, Sendable, Codable, CaseIterable, FileValue {
        /// The status is 200.
        case ok = 200
        /// The status is 401.
        case unauthorized = 401
    }

    /// The member names in the response of the entry point.
    public enum EntryNames: String, Sendable, Codable, CaseIterable, FileValue {
        /// The names are `continuation_token`, `sign_in`, and so on.
        case snake
        /// The names are `continuationToken`, `signIn`, and so on.
        case camel
        /// The token is `continuationToken`, and the links are in `_links`.
        case hal
    }

    /// The form of the addresses of links.
    public enum LinkStyle: String, Sendable, Codable, CaseIterable, FileValue {
        /// A link is `/fabrikam.onmicrosoft.com/api/…`, with the tenant as the app writes it.
        case relative
        /// A link is `/22222222-…/api/…`, with the ID of the tenant.
        case relativeTenantID = "relativeTenantId"
        /// A link is `/{tenant}/api/…`, and the app substitutes the tenant.
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
        /// The error is a string `error`, with `error_description` and `suberror` next to it, as in OAuth.
        case flat
    }

    /// The name of the correlation ID in an error object.
    public enum CorrelationName: String, Sendable, Codable, CaseIterable, FileValue {
        /// The ID is `correlationId`.
        case camel
        /// The ID is `correlation_id`.
        case snake
    }

    /// The step at which the second factor is requested.
    public enum SecondFactorPosition: String, Sendable, Codable, CaseIterable, FileValue {
        /// After the first factor. In a reset, before the new password.
        case afterFirst
        /// When the app requests the authorization code.
        case atResume
        /// In a reset, in the response to a poll after the new password. In other flows, after the first factor.
        case inPoll
    }

    /// The risk check between the selection of a phone and the code.
    public enum RiskCheck: String, Sendable, Codable, CaseIterable, FileValue {
        /// There is no risk check.
        case off = "none"
        /// The phone passes.
        case pass
        /// The phone is rejected (AADSTS550024).
        case block
        /// The phone passes. Then a second check follows, which no app expects.
        case twice
    }

    /// The terms of a registration, which differ between services.
    public struct RegistrationWords: Sendable, Codable, Equatable {
        /// The term for the selection of a method.
        public enum Offer: String, Sendable, Codable, CaseIterable, FileValue {
            /// The term is `enroll`.
            case enroll
            /// The term is `register`.
            case register
        }

        /// The term for the code.
        public enum Check: String, Sendable, Codable, CaseIterable, FileValue {
            /// The term is `activate`, and the code is in `code`.
            case activate
            /// The term is `verify`, and the code is in `otp`.
            case verify
        }

        /// The term for the selection of a method.
        public var offer: Offer
        /// The term for the code.
        public var check: Check
        /// Whether a code is sent even to the address that the customer signs in with.
        public var knownContactNeedsCode: Bool

        /// Creates the terms.
        public init(offer: Offer = .enroll, check: Check = .activate, knownContactNeedsCode: Bool = true) {
            self.offer = offer
            self.check = check
            self.knownContactNeedsCode = knownContactNeedsCode
        }

        /// Decodes the terms; every member is optional.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// The response to a sign-up with the address of an existing account.
    public enum ExistingAccount: String, Sendable, Codable, CaseIterable, FileValue {
        /// The response is the error AADSTS1003037.
        case error
        /// The response offers the first factors of the account, as in a sign-in.
        case continueAsSignIn
    }

    /// The outcome of the polls after a new password.
    public enum Polls: String, Sendable, Codable, CaseIterable, FileValue {
        /// The polls succeed after ``NativeAuthSettings/unfinishedPolls``.
        case ends
        /// The next poll is an error (AADSTS50000).
        case fails
        /// The polls never end.
        case hangs
        /// There are no polls; the new password is valid immediately.
        case skipped
    }

    /// The form of the response that redirects an app to the browser.
    public enum Fallback: String, Sendable, Codable, CaseIterable, FileValue {
        /// No response redirects the app to the browser.
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

    /// The step at which an app is redirected to the browser.
    public enum FallbackStep: String, Sendable, Codable, CaseIterable, FileValue {
        /// The step in which the app identifies the customer.
        case start
        /// The step after the first factor.
        case afterFirst
        /// The step in which the app requests the authorization code.
        case atResume
    }

    /// The link relations. A relation defines what a request to the link does.
    public enum Relation: String, Sendable, Codable, CaseIterable, FileValue {
        /// Requests the password or a code.
        case challenge
        /// Submits the password or the code.
        case verify
        /// Requests another code.
        case resend
        /// Submits a new password.
        case update
        /// Asks whether the new password is valid yet.
        case poll
        /// Requests the authorization code.
        case `continue`
        /// Submits attributes.
        case submitAttributes
        /// Submits the contact of a method that the customer registers.
        case enroll
        /// The same as ``enroll``, under the other name that the service uses.
        case register
        /// Submits the code of a method that the customer registers.
        case activate
        /// Checks the risk of a phone.
        case riskverify
        /// Starts a sign-in. The entry point has this link and the next two.
        case signIn = "sign_in"
        /// Starts a sign-up.
        case signUp = "sign_up"
        /// Starts a password reset.
        case resetPassword = "reset_password"
    }

    /// A wrong address for a link.
    public struct HostileLink: Sendable, Codable, Equatable {
        /// The relation of the link that has the wrong address.
        public var relation: Relation
        /// The wrong address, any string.
        public var address: String

        /// Creates a link.
        public init(relation: Relation, address: String) {
            self.relation = relation
            self.address = address
        }

        /// Decodes a link; both members are required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// Whether V2 is enabled; `true` by default. Without V2, the entry point responds with `invalid_client`.
    public var isEnabled: Bool?
    /// The status of the response of the entry point; 401 by default.
    public var entryStatus: Status?
    /// The member names in the response of the entry point; ``EntryNames/snake`` by default.
    public var entryNames: EntryNames?
    /// The form of link addresses; ``LinkStyle/relative`` by default.
    public var linkStyle: LinkStyle?
    /// The name of the continuation token after the entry point; ``TokenName/camel`` by default.
    public var tokenName: TokenName?
    /// The status of responses with `interactionRequired`; 200 by default.
    public var interactionStatus: Status?
    /// Whether the service offers a code to an address without an account instead of an error. The code is never sent.
    public var hidesUnknownUsers: Bool?
    /// The first factors that the service offers, in this order: `email`, `password`, and, in a reset, `sms`. Any other
    /// string is a factor that no app supports. `nil` offers the customer's credential.
    public var firstFactors: [String]?
    /// Whether the password also has a `challenge` link, which requests the password.
    public var passwordChallengeLink: Bool?
    /// The types of second factors, in this order. The service offers the customer's methods of these types. Any other
    /// string is a type that no app supports. An empty list requires no second factor. `nil` follows the customer and
    /// the application.
    public var secondFactors: [String]?
    /// The types of methods, `email` and `sms`, that a customer without a method has to register. An empty list
    /// requires none. `nil` follows the customer and the application.
    public var registration: [String]?
    /// The step at which the second factor is requested; ``SecondFactorPosition/afterFirst`` by default.
    public var secondFactorPosition: SecondFactorPosition?
    /// The risk check of phones; ``RiskCheck/off`` by default.
    public var riskCheck: RiskCheck?
    /// The terms of a registration.
    public var registrationWords: RegistrationWords?
    /// The response to a sign-up with the address of an existing account; ``ExistingAccount/error`` by default.
    public var existingAccountAtSignUp: ExistingAccount?
    /// The attributes that a sign-up requires, instead of the application's. If they are set for a customer, the next
    /// sign-in requires them.
    public var attributesRequested: [AttributeRule]?
    /// Whether the service requests the same attributes again after the app submitted them.
    public var asksAgain: Bool?
    /// The outcome of the polls after a new password. `nil` follows ``CustomerProfile/resetOutcome``.
    public var polls: Polls?
    /// Whether the response contains ``NativeAuthSettings/pollInterval``, in milliseconds.
    public var announcesPollInterval: Bool?
    /// The form of the response that redirects an app to the browser; ``Fallback/off`` by default.
    public var fallback: Fallback?
    /// The step at which an app is redirected to the browser; ``FallbackStep/start`` by default.
    public var fallbackStep: FallbackStep?
    /// Whether the last response links to the address that returns the authorization code.
    public var continueLink: Bool?
    /// The form of errors; ``ErrorForm/object`` by default.
    public var errorForm: ErrorForm?
    /// The name of the correlation ID in errors; ``CorrelationName/camel`` by default.
    public var correlationName: CorrelationName?
    /// Whether numbers are encoded as strings.
    public var numbersAsText: Bool?
    /// Whether responses contain undocumented members and links.
    public var unknownMembers: Bool?
    /// Whether lists of methods have an additional one, of a type that no app supports.
    public var extraMethods: Bool?
    /// A wrong address for one of the links, to test what a client rejects.
    public var hostileLink: HostileLink?

    /// Creates settings that select no branch.
    public init() {}

    /// Decodes settings; every member is optional.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
}

extension NativeAuthV2Settings: FileEntry {
    static let form = EntryForm(
        "native V2",
        summary:
            "Branches of native authentication V2. A customer's override the application's, which override the default.",
        blank: NativeAuthV2Settings()
    ) { members in
        let usual = FlowBranches()
        members.optional("isEnabled", at: \.isEnabled, default: usual.isEnabled)
            .summary("Whether V2 is enabled (invalid_client otherwise).")
        members.optional("entryStatus", at: \.entryStatus, default: usual.entryStatus)
            .summary("The status of the entry point.")
        members.optional("entryNames", at: \.entryNames, default: usual.entryNames)
            .summary("The member names of the entry point, or hal for links in _links.")
        members.optional("linkStyle", at: \.linkStyle, default: usual.linkStyle).summary("The form of link addresses.")
        members.optional("tokenName", at: \.tokenName, default: usual.tokenName)
            .summary("The name of the continuation token.")
        members.optional("interactionStatus", at: \.interactionStatus, default: usual.interactionStatus)
            .summary("The status of responses that require interaction.")
        members.optional("hidesUnknownUsers", at: \.hidesUnknownUsers, default: usual.hidesUnknownUsers)
            .summary("Whether an unknown address is offered a code that is never sent.")
        members.optional("firstFactors", at: \.firstFactors)
            .summary("The first factors, such as email and password. Defaults to the credential.")
        members.optional("passwordChallengeLink", at: \.passwordChallengeLink, default: usual.passwordChallengeLink)
            .summary("Whether the password also has a challenge link.")
        members.optional("secondFactors", at: \.secondFactors)
            .summary("The types of second factors. Defaults to those of the customer.")
        members.optional("registration", at: \.registration, as: .list(.choice(["email", "sms"])))
            .summary("The methods to register. Defaults to those of the application.")
        members.optional("secondFactorPosition", at: \.secondFactorPosition, default: usual.secondFactorPosition)
            .summary("The step at which the second factor is requested.")
        members.optional("riskCheck", at: \.riskCheck, default: usual.riskCheck)
            .summary("The risk check of phones.")
        members.optional("registrationWords", at: \.registrationWords)
            .summary("The terms of a registration, which differ between services.")
        members.optional(
            "existingAccountAtSignUp",
            at: \.existingAccountAtSignUp,
            default: usual.existingAccountAtSignUp
        )
        .summary("The response to a sign-up with the address of an existing account.")
        members.optional("attributesRequested", at: \.attributesRequested)
            .summary("The attributes to request instead of the application's.")
        members.optional("asksAgain", at: \.asksAgain, default: usual.asksAgain)
            .summary("Whether the same attributes are requested twice.")
        members.optional("polls", at: \.polls)
            .summary("The outcome of the polls after a new password. Defaults to the customer's resetOutcome.")
        members.optional("announcesPollInterval", at: \.announcesPollInterval, default: usual.announcesPollInterval)
            .summary("Whether the response contains the poll interval.")
        members.optional("fallback", at: \.fallback, default: usual.fallback)
            .summary("How an app is redirected to the browser.")
        members.optional("fallbackStep", at: \.fallbackStep, default: usual.fallbackStep).summary(
            "The step of the redirect to the browser."
        )
        members.optional("continueLink", at: \.continueLink, default: usual.continueLink)
            .summary("Whether the last response links to the address of the authorization code.")
        members.optional("errorForm", at: \.errorForm, default: usual.errorForm).summary("The form of errors.")
        members.optional("correlationName", at: \.correlationName, default: usual.correlationName)
            .summary("The name of the correlation ID in an error object.")
        members.optional("numbersAsText", at: \.numbersAsText, default: usual.numbersAsText)
            .summary("Whether numbers are encoded as strings.")
        members.optional("unknownMembers", at: \.unknownMembers, default: usual.unknownMembers)
            .summary("Whether responses contain undocumented members.")
        members.optional("extraMethods", at: \.extraMethods, default: usual.extraMethods)
            .summary("Whether lists of methods have an additional one that no app supports.")
        members.optional("hostileLink", at: \.hostileLink)
            .summary("A wrong link address, for tests of clients.")
    }
}

extension NativeAuthV2Settings.RegistrationWords: FileEntry {
    static let form = EntryForm(
        "registration words",
        summary: "The terms of a registration.",
        blank: NativeAuthV2Settings.RegistrationWords()
    ) { members in
        members.optional("offer", at: \.offer).summary("The term for the selection of a method.")
        members.optional("check", at: \.check).summary("The term for the code.")
        members.optional("knownContactNeedsCode", at: \.knownContactNeedsCode)
            .summary("Whether a code is sent even to the customer's own address.")
    }
}

extension NativeAuthV2Settings.HostileLink: FileEntry {
    static let form = EntryForm(
        "hostile link",
        summary: "A wrong link address.",
        blank: NativeAuthV2Settings.HostileLink(relation: .challenge, address: "")
    ) { members in
        members.required("relation", at: \.relation).summary("The relation of the link.")
        members.required("address", at: \.address).summary("The address, any string.")
    }
}
