// Licensed under the MIT License. See LICENSE.

import MSALBase

extension ControlOperation {
    /// The query parameters.
    var parameters: [ControlMember] {
        switch self {
        case .journal:
            Self.filter + [
                .text("format", summary: "har returns the entries as an HTTP Archive."),
                .number("after", in: 0...Self.ids, summary: "Only entries after this ID."),
                .number("limit", in: 1...10_000, summary: "Maximum number of entries; 1000 by default."),
            ]
        case .directory: [.flag("secrets", summary: "Whether to include secrets.")]
        case .entries:
            [
                .text("after", summary: "For users: only those after this name."),
                .number("limit", in: 1...10_000, summary: "For users: maximum number; 1000 by default."),
            ]
        // Most operations have no parameters. Parameters that are not listed here are rejected.
        default: []
        }
    }

    /// The members that the body may have. None are listed for a body in the form of a directory file.
    var members: [ControlMember] {
        switch self {
        case .takeFromJournal: Self.filter
        case .expectRequest:
            Self.filter + [
                .number("after", in: 0...Self.ids, summary: "Only entries after this ID."),
                .number("seconds", in: 0...10, summary: "How long to wait; 10 by default."),
            ]
        case .enqueueResponses:
            [
                .text("endpoint", summary: "The suffix of the path.", isRequired: true),
                .text("correlationId", summary: "Only for requests with this ID, a GUID."),
                .init(
                    "responses",
                    of: ["type": "array", "items": ControlMember.names(of: NamedResponse.self)],
                    summary: "The names of the responses, in order.",
                    isRequired: true
                ),
            ]
        case .enqueueFault: Self.fault
        case .showCertificate:
            [.choice("fault", of: CertificateFault.self, summary: "Without it, the valid certificate is presented.")]
        case .changeClock:
            [
                .number("advance", in: EmulatorClock.range, summary: "Number of seconds."),
                .text("set", summary: "A date such as 2030-12-31T23:59:59Z."),
                .flag("freeze", summary: "Whether to stop the clock."),
                .text("clientId", summary: "The client that sees a different time."),
                .number("skew", in: EmulatorClock.range, summary: "The difference in seconds; 0 removes it."),
            ]
        case .revokeSignIns: [.text("userPrincipalName", summary: "The user.", isRequired: true)]
        case .signInNext:
            [
                .text("userPrincipalName", summary: "The user.", isRequired: true),
                .text("clientId", summary: "Only for requests of this application."),
                .number("count", in: 1...1_000, summary: "Number of requests; 1 by default."),
            ]
        case .setClaims:
            [
                .init("claims", of: ["type": "object"], summary: "Claims to set; null removes one.", isRequired: true),
                .text("user", summary: "Only for this user."),
                .text("application", summary: "Only for tokens of this application."),
                .text("api", summary: "Only for access tokens for this API."),
                .choice("token", of: EmulatorDirectory.TokenClaims.TokenType.self, summary: "Only this type of token."),
                .flag("once", summary: "Whether only the next matching sign-in gets them."),
                .flag("force", summary: "Whether to allow restricted claims, such as iss."),
            ]
        case .challenge:
            [
                .text("user", summary: "The user.", isRequired: true),
                .text("claims", summary: "JSON with acrs or nbf of access_token. Without it, the challenge ends."),
            ]
        case .accessToken: Self.token
        case .rollOverSigningKey:
            [
                .flag("rollover", summary: "True signs with a new key."),
                .flag("announce", summary: "True publishes the next key, which does not sign yet."),
                .flag("uneven", summary: "True omits the newest key from every second key set; false stops that."),
            ]
        case .flawFederatedTokens:
            [
                .choice(
                    "flaw",
                    of: FederatedToken.Flaw.self,
                    summary: "What is wrong with the tokens.",
                    isRequired: true
                ),
                .choice("issuer", of: FederatedIssuer.self, summary: "Only for this issuer."),
                .number("count", in: 1...1_000_000, summary: "Number of tokens; 1 by default."),
            ]
        case .changeManagedIdentity: Self.machine
        case .addToDirectory:
            Self.lists.sorted { $0.key < $1.key }.map { name, object in
                .init(name, of: ["type": "array", "items": JSONSchema.name(of: object)], summary: "Entries to add.")
            }
        default: []
        }
    }

    private static let ids = Int(Int32.max)

    /// The members that filter the journal.
    private static let filter: [ControlMember] = [
        .text("pathSuffix", summary: "The suffix of the path."), .text("method", summary: "The method."),
        .number("status", in: 0...999, summary: "The status."), .text("correlationId", summary: "The correlation ID."),
        .number("number", in: 0...ids, summary: "The AADSTS number of a refusal."),
    ]

    private static let token: [ControlMember] = [
        .text("user", summary: "The user that the token represents. Without one, it is an app-only token."),
        .text("application", summary: "The application that the token is issued to."),
        .text("tenant", summary: "The tenant."),
        .text("api", summary: "The API.", isRequired: true),
        .init(
            "scopes",
            of: ["type": "array", "items": ["type": "string"]],
            summary: "The permissions of a user's token."
        ),
        .init("set", of: ["type": "object"], summary: "Claims to add or replace; null removes one."),
        .number("expires", in: -31_536_000...31_536_000, summary: "Seconds until it expires."),
        .choice("flaw", of: TestToken.Flaw.self, summary: "What is wrong with the token."),
        .flag("force", summary: "Whether to allow restricted claims, such as iss."),
    ]

    private static let fault: [ControlMember] = [
        .text("pathSuffix", summary: "The suffix of the path.", isRequired: true),
        .text("method", summary: "The method."),
        .number("status", in: 200...999, summary: "The status of the response."),
        .init(
            "headers",
            of: ["type": "object", "additionalProperties": ["type": "string"]],
            summary: "Header fields of the response."
        ),
        .text("body", summary: "The body of the response."),
        .number("delayMilliseconds", in: 0...86_400_000, summary: "How long the response is delayed."),
        .flag("dropsConnection", summary: "Whether the connection is closed instead of a response."),
        .number(
            "stopsAfterBytes",
            in: 0...1_000_000,
            summary: "Number of bytes of the body after which the connection is closed."
        ),
        .flag("hangs", summary: "Whether the connection stays open and nothing more is sent."),
        .number("count", in: 1...1_000_000, summary: "Number of requests."),
        .flag("always", summary: "Whether all requests are affected; replaces count."),
        .number("skip", in: 0...1_000_000, summary: "Number of requests that pass before the fault begins."),
        .init(
            "probability",
            of: ["type": "number", "minimum": 0, "maximum": 1],
            summary: "The probability that a request is affected."
        ),
        .number("seed", in: 0...ids, summary: "The seed of the random numbers."),
        .init(
            "refusal",
            of: ["type": "integer", "enum": .array(ServiceRefusal.allCases.map { .int($0.rawValue) })],
            summary: "The AADSTS number of an error in the format of the service."
        ),
        .text("clientId", summary: "Only for requests of this application."),
        .text("tenant", summary: "Only for this tenant."),
        .text("claims", summary: "The claims of the refusal, as JSON."),
        .init(
            "script",
            of: ["type": "array", "items": ["type": "object"]],
            summary: "Faults for the next requests, one per request."
        ),
    ]

    private static let machine: [ControlMember] = [
        .text("identity", summary: "A managed identity of the directory."),
        .flag("assigned", summary: "Whether it is assigned to the machine."),
        .number("status", in: 400...599, summary: "The status of failing requests."),
        .choice("source", of: ManagedIdentitySource.self, summary: "Only on this host."),
        .number("retryAfter", in: 0...86_400, summary: "The value of Retry-After, in seconds."),
        .text("message", summary: "The error message."),
        .choice("flaw", of: ManagedIdentityFlaw.self, summary: "What is wrong with the response."),
        .number("count", in: 1...1_000_000, summary: "Number of requests; 1 by default."),
    ]
}

/// A member of a body, or a query parameter.
struct ControlMember: Sendable {
    let name: String
    /// The JSON schema of its values.
    let schema: JSONValue
    let summary: String
    let isRequired: Bool

    init(_ name: String, of schema: JSONValue, summary: String, isRequired: Bool = false) {
        self.name = name
        self.schema = schema
        self.summary = summary
        self.isRequired = isRequired
    }

    fileprivate static func text(_ name: String, summary: String, isRequired: Bool = false) -> ControlMember {
        ControlMember(name, of: ["type": "string"], summary: summary, isRequired: isRequired)
    }

    fileprivate static func flag(_ name: String, summary: String) -> ControlMember {
        ControlMember(name, of: ["type": "boolean"], summary: summary)
    }

    fileprivate static func number(_ name: String, in range: ClosedRange<Int>, summary: String) -> ControlMember {
        let schema: JSONValue = [
            "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
        ]
        return ControlMember(name, of: schema, summary: summary)
    }

    fileprivate static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of type: Value.Type,
        summary: String,
        isRequired: Bool = false
    ) -> ControlMember {
        ControlMember(name, of: names(of: type), summary: summary, isRequired: isRequired)
    }

    /// The schema of an enumeration with the names of a type.
    fileprivate static func names<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> JSONValue {
        ["type": "string", "enum": .strings(type.allCases.map(\.rawValue))]
    }
}
