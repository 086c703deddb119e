// Licensed under the MIT License. See LICENSE.

import MSALBase

extension ControlOperation {
    /// The parameters of the query.
    var parameters: [ControlMember] {
        switch self {
        case .journal:
            Self.filter + [
                .text("format", summary: "har makes an HTTP Archive of the entries."),
                .number("after", in: 0...Self.ids, summary: "Only entries after this id."),
                .number("limit", in: 1...10_000, summary: "How many entries; 1000 without it."),
            ]
        case .directory: [.flag("secrets", summary: "Whether secrets are shown.")]
        case .entries:
            [
                .text("after", summary: "Of users: those after this name."),
                .number("limit", in: 1...10_000, summary: "Of users: how many; 1000 without it."),
            ]
        // Most operations have no parameters. A parameter that is not in these lists is refused.
        default: []
        }
    }

    /// The members of the body, which are the only ones that it may have. A body in the form of a directory file has
    /// none here.
    var members: [ControlMember] {
        switch self {
        case .takeFromJournal: Self.filter
        case .expectRequest:
            Self.filter + [
                .number("after", in: 0...Self.ids, summary: "Only entries after this id."),
                .number("seconds", in: 0...10, summary: "How long to wait; 10 without it."),
            ]
        case .enqueueResponses:
            [
                .text("endpoint", summary: "The text with which the path ends.", isRequired: true),
                .text("correlationId", summary: "Of requests with this id only, a GUID."),
                .init(
                    "responses",
                    of: ["type": "array", "items": ControlMember.names(of: NamedResponse.self)],
                    summary: "The names of the responses, in order.",
                    isRequired: true
                ),
            ]
        case .enqueueFault: Self.fault
        case .showCertificate:
            [.choice("fault", of: CertificateFault.self, summary: "Without it, the good certificate is shown.")]
        case .changeClock:
            [
                .number("advance", in: EmulatorClock.range, summary: "By how many seconds."),
                .text("set", summary: "A date such as 2030-12-31T23:59:59Z."),
                .flag("freeze", summary: "Whether it stands still."),
                .text("clientId", summary: "The client whose time differs."),
                .number("skew", in: EmulatorClock.range, summary: "By how many seconds it differs; 0 ends it."),
            ]
        case .revokeSignIns: [.text("userPrincipalName", summary: "The user.", isRequired: true)]
        case .signInNext:
            [
                .text("userPrincipalName", summary: "The user.", isRequired: true),
                .text("clientId", summary: "For requests of this application only."),
                .number("count", in: 1...1_000, summary: "For how many requests; 1 without it."),
            ]
        case .challenge:
            [
                .text("user", summary: "The user.", isRequired: true),
                .text("claims", summary: "JSON with acrs or nbf of access_token. Without it, the challenge ends."),
            ]
        case .accessToken: Self.token
        case .rollOverSigningKey:
            [
                .flag("rollover", summary: "True lets a new key sign."),
                .flag("announce", summary: "True shows the next key, which does not sign yet."),
                .flag("uneven", summary: "True takes the newest key out of every second key set; false ends that."),
            ]
        case .flawFederatedTokens:
            [
                .choice("flaw", of: FederatedToken.Flaw.self, summary: "What is wrong.", isRequired: true),
                .choice("issuer", of: FederatedIssuer.self, summary: "Of this issuer only."),
                .number("count", in: 1...1_000_000, summary: "For how many tokens; 1 without it."),
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

    /// The members by which a reader of the journal chooses entries.
    private static let filter: [ControlMember] = [
        .text("pathSuffix", summary: "The text with which the path ends."), .text("method", summary: "The method."),
        .number("status", in: 0...999, summary: "The status."), .text("correlationId", summary: "The correlation id."),
        .number("number", in: 0...ids, summary: "The AADSTS number of a refusal."),
    ]

    private static let token: [ControlMember] = [
        .text("user", summary: "The user that it is about. Without one it is the application's own."),
        .text("application", summary: "The application that has it."), .text("tenant", summary: "The tenant."),
        .text("api", summary: "The API.", isRequired: true),
        .init(
            "scopes",
            of: ["type": "array", "items": ["type": "string"]],
            summary: "The permissions of a user's token."
        ),
        .init("set", of: ["type": "object"], summary: "Claims that are added or replaced; null removes one."),
        .number("expires", in: -31_536_000...31_536_000, summary: "How many seconds it lives from now on."),
        .choice("flaw", of: TestToken.Flaw.self, summary: "What is wrong with it."),
    ]

    private static let fault: [ControlMember] = [
        .text("pathSuffix", summary: "The text with which the path ends.", isRequired: true),
        .text("method", summary: "The method."),
        .number("status", in: 200...999, summary: "The status of the response."),
        .init(
            "headers",
            of: ["type": "object", "additionalProperties": ["type": "string"]],
            summary: "Header fields of the response."
        ),
        .text("body", summary: "The body of the response."),
        .number("delayMilliseconds", in: 0...86_400_000, summary: "How long the response waits."),
        .flag("dropsConnection", summary: "Whether the connection is closed in place of a response."),
        .number(
            "stopsAfterBytes",
            in: 0...1_000_000,
            summary: "After how many bytes of the body the connection is closed."
        ),
        .flag("hangs", summary: "Whether the connection stays open and nothing more is sent."),
        .number("count", in: 1...1_000_000, summary: "For how many requests."),
        .flag("always", summary: "Whether it is for all requests, in place of count."),
        .number("skip", in: 0...1_000_000, summary: "How many requests pass before the fault begins."),
        .init(
            "probability",
            of: ["type": "number", "minimum": 0, "maximum": 1],
            summary: "How likely a request is affected."
        ),
        .number("seed", in: 0...ids, summary: "The seed of the random numbers."),
        .init(
            "refusal",
            of: ["type": "integer", "enum": .array(ServiceRefusal.allCases.map { .int($0.rawValue) })],
            summary: "The AADSTS number of a refusal in the words of the service."
        ),
        .text("clientId", summary: "For requests of this application only."),
        .text("tenant", summary: "For this tenant only."),
        .text("claims", summary: "The claims of the refusal, JSON."),
        .init(
            "script",
            of: ["type": "array", "items": ["type": "object"]],
            summary: "Faults for the next requests, one each."
        ),
    ]

    private static let machine: [ControlMember] = [
        .text("identity", summary: "An identity of the directory."),
        .flag("assigned", summary: "Whether the machine has it."),
        .number("status", in: 400...599, summary: "The status with which requests fail."),
        .choice("source", of: ManagedIdentitySource.self, summary: "On this host only."),
        .number("retryAfter", in: 0...86_400, summary: "The seconds in Retry-After."),
        .text("message", summary: "The text of the error."),
        .choice("flaw", of: ManagedIdentityFlaw.self, summary: "What is wrong with a response."),
        .number("count", in: 1...1_000_000, summary: "For how many requests; 1 without it."),
    ]
}

/// A member of a body, or a parameter of a query.
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

    /// The schema of the names of a type.
    fileprivate static func names<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> JSONValue {
        ["type": "string", "enum": .strings(type.allCases.map(\.rawValue))]
    }
}
