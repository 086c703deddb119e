// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The core of native authentication on a scripted machine.
struct CoreBench: Sendable {
    let store: any TokenStore
    let client: NativeAuthClient

    /// `authority`: The address of the requests; by default the tenant of the sample users.
    init(
        _ transport: any HTTPTransport,
        time: any TimeSource = ManualTime(skipsSleeps: true),
        store: any TokenStore = MemoryStore(),
        agent: StubAgent = StubAgent { _, _ throws(AgentError) in
            throw AgentError(.noBrowser, message: "There is none.")
        },
        authority: String = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com",
        change: (inout NativeAuthConfiguration) -> Void = { _ in }
    ) throws {
        let url = try #require(URL(string: authority))
        let tokens = TokenClient(
            configuration: ClientConfiguration(
                clientID: Lee.clientID,
                authority: try Authority.ciam(url),
                redirectURI: .loopback
            ),
            platform: Platform(transport: transport, agent: agent, time: time),
            store: store,
            session: CurrentSession()
        )
        var configuration = NativeAuthConfiguration(
            challengeTypes: [.oneTimeCode, .password],
            capabilities: [.mfaRequired, .registrationRequired]
        )
        change(&configuration)
        self.store = store
        client = NativeAuthClient(tokens: tokens, configuration: configuration)
    }

    /// All records of the store.
    func records() throws -> Set<RecordIdentity> {
        let kinds: [RecordKind] = [.accessToken, .refreshToken, .idToken, .account]
        let found = try store.read { (transaction) throws(StoreError) -> [CacheRecord] in
            var found: [CacheRecord] = []
            for kind in kinds { found += try transaction.records(RecordFilter(kind)) }
            return found
        }
        return Set(found.map(\.identity))
    }
}

/// Sample users and responses.
enum Lee {
    static let clientID = "11111111-1111-4111-8111-111111111111"
    static let tenant = "22222222-2222-4222-8222-222222222222"
    static let homeAccountID = "lee.\(tenant)"
    static let username = "lee@contoso.example"
    static let reference = AccountReference(homeAccountID: homeAccountID, username: username)

    /// The values that must never be printed or logged.
    static let secrets = [
        "secret-password", "secret-code", "secret-token", "secret-access-token", "secret-refresh-token",
    ]

    static let continuation = NativeAuth.Continuation(
        token: Secret("secret-token"),
        correlationID: UUID(),
        username: username,
        scopes: ["api://a/Read"]
    )
    static let method = NativeAuth.AuthMethod(id: "m1", challengeType: "oob", channel: "email", loginHint: nil)

    static func idToken(_ overrides: [String: JSONValue] = [:], uid: String = "lee") -> String {
        let claims: [String: JSONValue] = [
            "iss": .string("https://\(tenant).ciamlogin.com/\(tenant)/v2.0"), "aud": .string(clientID),
            "sub": .string("subject of \(uid)"), "oid": .string(uid), "tid": .string(tenant),
            "exp": .integer(4_102_444_800), "preferred_username": .string("\(uid)@contoso.example"),
        ]
        let payload = JSONValue.object(claims.merging(overrides) { $1 }.filter { $0.value != .null })
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k1"}"#.utf8))
        return "\(header).\(Base64URL.encode(Array(payload.text.utf8))).c2ln"
    }

    /// A valid response of the token endpoint.
    static func tokens(
        uid: String = "lee",
        scope: String = "api://a/Read",
        _ overrides: [String: JSONValue] = [:]
    ) -> JSONValue {
        let members: [String: JSONValue] = [
            "token_type": .string("Bearer"), "scope": .string(scope), "expires_in": .integer(3600),
            "access_token": .string("secret-access-token"), "refresh_token": .string("secret-refresh-token"),
            "id_token": .string(idToken(uid: uid)),
            "client_info": .string(Base64URL.encode(Array(#"{"uid":"\#(uid)","utid":"\#(tenant)"}"#.utf8))),
        ]
        return .object(members.merging(overrides) { $1 }.filter { $0.value != .null })
    }

    static let started = JSONValue.object(["continuation_token": .string("secret-token-1")])
    static let code = JSONValue.object([
        "continuation_token": .string("secret-token-2"), "challenge_type": .string("oob"),
        "challenge_target_label": .string("l***"), "challenge_target": .string("l@x"),
        "challenge_channel": .string("email"), "code_length": .integer(8),
    ])
    static let passwordForm = JSONValue.object([
        "continuation_token": .string("secret-token-3"), "challenge_type": .string("password"),
    ])
    static let methods = JSONValue.object([
        "continuation_token": .string("secret-token-4"),
        "methods": .array([
            .object(["id": .string("m1"), "challenge_type": .string("oob"), "challenge_channel": .string("email")])
        ]),
    ])
    static let submitted = JSONValue.object([
        "continuation_token": .string("secret-token-5"), "poll_interval": .integer(1),
    ])
    static let finished = JSONValue.object([
        "status": .string("succeeded"), "continuation_token": .string("secret-token-6"),
    ])

    /// An error response.
    static func error(_ error: String, suberror: String? = nil, codes: Int...) -> JSONValue {
        var members: [String: JSONValue] = [
            "error": .string(error), "error_description": .string("AADSTS\(codes.first ?? 0): In the service's words."),
            "error_codes": .array(codes.map { .integer(Int64($0)) }), "trace_id": .string("trace-1"),
            "timestamp": .string("2026-01-01 00:00:00Z"), "correlation_id": .string("correlation-1"),
        ]
        members["suberror"] = suberror.map(JSONValue.string)
        return .object(members)
    }
}

extension ScriptedTransport.Response {
    static func answer(_ value: JSONValue, status: Int = 200, to part: String = "") -> Self {
        .json(value.text, status: status, to: part)
    }
}
