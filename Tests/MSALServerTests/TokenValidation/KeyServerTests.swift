// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALServer
import NIOCore
import TestSupport
import Testing

/// An API whose issuer is on a real socket, and the responses to its callers while the issuer fails.
struct KeyServerTests {
    private static let invalidToken = #"Bearer error="invalid_token""#

    private func token(_ key: String = "k1", of issuer: String, at api: APIServer) throws -> String {
        try IssuerKey(key).token(at: api.time.now, claims: ["iss": .string(issuer)])
    }

    @Test(.timeLimit(.minutes(2)), arguments: KeyFault.all)
    func `unusable keys are the issuer's fault, and not the caller's`(_ fault: KeyFault) async throws {
        try await KeyServer.run(fault.behavior, isPatient: false) { server, api, issuer in
            let token = try token(of: issuer, at: api)
            try await api.run { client in
                let answer = try await client.send(bearer: token)
                #expect(answer.status == 503)
                #expect(answer.values("Retry-After") == ["5"])
                #expect(answer.values("WWW-Authenticate") == [])
                #expect(answer.body == "" || answer.body.allSatisfy(\.isWhitespace))
            }
            #expect(!server.paths.contains { $0.contains("elsewhere") })
            #expect(api.validator.rememberedTokens == 0)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a key of another tenant verifies nothing`() async throws {
        let behavior = KeyServer.Behavior(keys: { _, _ in
            var key = try IssuerKey("k1").published.object ?? [:]
            key["issuer"] = .string("https://localhost/73ab4876-7734-47c1-87fd-e805ec99108d/v2.0")
            return KeyServer.keys(.object(key))
        })
        try await KeyServer.run(behavior) { _, api, issuer in
            let token = try token(of: issuer, at: api)
            try await api.run { client in
                let answer = try await client.send(bearer: token)
                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `metadata of another tenant admit no caller`() async throws {
        let behavior = KeyServer.Behavior(
            keys: { _, _ in KeyServer.keys(try IssuerKey("k1").published) },
            metadata: { members, base in
                let other = base.replacing(TestIssuer.tenant, with: "73ab4876-7734-47c1-87fd-e805ec99108d")
                members["issuer"] = .string("\(other)/v2.0")
            }
        )
        try await KeyServer.run(behavior) { server, api, issuer in
            let token = try token(of: issuer, at: api)
            try await api.run { client in
                let answer = try await client.send(bearer: token)
                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
            }
            #expect(server.keyRequests == 0)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `two replicas with different keys converge`() async throws {
        let behavior = KeyServer.Behavior(keys: { number, _ in
            KeyServer.keys(try IssuerKey(number == 0 ? "k1" : "k2").published)
        })
        try await KeyServer.run(behavior) { server, api, issuer in
            let first = try token("k1", of: issuer, at: api)
            let second = try token("k2", of: issuer, at: api)
            try await api.run { client in
                #expect(try await client.send(bearer: first).status == 200)
                let early = try await client.send(bearer: second)
                #expect(early.status == 401)
                #expect(early.values("WWW-Authenticate") == [Self.invalidToken])
                #expect(server.keyRequests == 1)
                api.time.advance(by: .seconds(301))
                #expect(try await client.send(bearer: second).status == 200)
                // The other replica no longer serves it. It is valid for an hour.
                #expect(try await client.send(bearer: first).status == 200)
            }
            #expect(server.keyRequests == 2)
        }
    }

    @Test func `a clock that is an hour off rejects valid tokens, and the log names it`() async throws {
        let lines = LoggedLines()
        let api = try APIServer { $0.logger = lines.logger }
        api.issuer.serve(headers: ["Date": "Mon, 21 Sep 2026 13:13:20 GMT"])
        let token = try api.token(["exp": .integer(1_789_999_000)])

        try await api.run { client in
            let answer = try await client.send(bearer: token)
            #expect(answer.status == 401)
            #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
        }
        #expect(lines.text.contains("60 minutes ahead"))
    }
}

/// A fault of an issuer's keys.
struct KeyFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let behavior: KeyServer.Behavior

    private init(
        _ name: String,
        metadata: @escaping @Sendable (inout [String: JSONValue], String) -> Void = { _, _ in },
        keys: @escaping @Sendable (KeyServer) async throws -> Response
    ) {
        testDescription = name
        behavior = KeyServer.Behavior(keys: { _, server in try await keys(server) }, metadata: metadata)
    }

    static let all: [KeyFault] = [
        KeyFault("no response within five seconds") { try await $0.hang() },
        KeyFault("200 MB without a length") { $0.endless() },
        KeyFault("a web page") { _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/html"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "<html><body>Sign in to the hotel</body></html>"))
            )
        },
        KeyFault("nothing") { _ in Response(status: .ok) },
        KeyFault("an empty set") { _ in KeyServer.keys() },
        KeyFault("a key of 1,023 bits") { _ in
            var key = try IssuerKey("k1").published.object ?? [:]
            key["n"] = .string(Base64URL.encode([0x7F] + [UInt8](repeating: 0xFF, count: 127)))
            return KeyServer.keys(.object(key))
        },
        KeyFault("an elliptic key") { _ in
            // The point of RFC 7517, appendix A.1.
            let members = [
                "kty": "EC", "use": "sig", "kid": "k1", "crv": "P-256",
                "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
            ]
            return KeyServer.keys(.object(members.mapValues(JSONValue.string)))
        },
        KeyFault("a redirect to another host") { _ in
            Response(status: .found, headers: [.location: "https://127.0.0.1:1/elsewhere/keys"])
        },
        KeyFault("an address without TLS") { members, base in
            members["jwks_uri"] = .string(base.replacing("https:", with: "http:") + "/elsewhere/keys")
        } keys: { _ in
            KeyServer.keys(try IssuerKey("k1").published)
        },
        KeyFault("an error of the server") { _ in Response(status: .internalServerError) },
    ]
}
