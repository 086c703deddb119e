// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Access tokens that are bound to a key, and the APIs that want a signature with it.
struct ProofOfPossessionTests {
    /// One key for the suite: making one costs a tenth of a second.
    private static let signer = Result { try ProofSigner() }

    /// A right request, of which each test changes one part.
    private struct Attempt {
        let bench: Bench
        let signer: ProofSigner
        let token: String

        var host: String { "localhost:\(bench.emulator.port)" }

        func envelope(
            header: [String: Any] = [:],
            payload: [String: Any] = [:],
            method: String = "GET",
            path: String = "/v1.0/me"
        ) throws -> String {
            try signer.envelope(
                token,
                method: method,
                host: host,
                path: path,
                at: bench.emulator.now,
                header: header,
                payload: payload
            )
        }

        func send(
            _ envelope: String,
            scheme: String = "PoP",
            method: HTTPMethod = .GET,
            path: String = "/v1.0/me",
            body: String? = nil
        ) async throws -> Bench.Response {
            try await bench.send(method, to: path, headers: ["authorization": "\(scheme) \(envelope)"], body: body)
        }
    }

    private static func run(
        scope: String = "User.Read openid",
        story: (Attempt) async throws -> Void
    ) async throws {
        try await Bench.run { bench in
            let signer = try Self.signer.get()
            let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["scope": scope]))
            let tokens = try await bench.redeem(try #require(response.parameters["code"]), changing: signer.parameters)
                .json()
            let token = try #require(tokens["access_token"] as? String)
            try await story(Attempt(bench: bench, signer: signer, token: token))
        }
    }

    private func expectRefusal(
        _ response: Bench.Response,
        because reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let challenge = response.headers.first(name: "www-authenticate") ?? ""
        #expect(response.status == 401, sourceLocation: sourceLocation)
        #expect(challenge.hasPrefix("PoP "), sourceLocation: sourceLocation)
        #expect(challenge.contains("error=\"invalid_token\""), sourceLocation: sourceLocation)
        #expect(challenge.contains(reason), sourceLocation: sourceLocation)
    }

    // MARK: Tokens

    @Test(arguments: ["pop", "Pop", "PoP"])
    func `a token is bound to the key that was asked for, by every grant`(type: String) async throws {
        try await Bench.run { bench in
            let signer = try Self.signer.get()
            let parameters = signer.parameters.merging(["token_type": type]) { $1 }
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let tokens = try await bench.redeem(try #require(response.parameters["code"]), changing: parameters).json()
            let renewed = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID,
                    "refresh_token": try #require(tokens["refresh_token"] as? String),
                ].merging(parameters) { $1 }
            ).json()

            for body in [tokens, renewed] {
                #expect(body["token_type"] as? String == "pop")
                #expect(try Bench.claims(body["access_token"])["cnf"] as? [String: String] == ["kid": signer.keyID])
                #expect(try Bench.claims(body["id_token"])["cnf"] == nil)
            }
        }
    }

    @Test func `a bearer token is bound to nothing`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let code = try #require(response.parameters["code"])
            let body = try await bench.redeem(code, changing: ["token_type": "bearer"]).json()

            #expect(body["token_type"] as? String == "Bearer")
            #expect(try Bench.claims(body["access_token"])["cnf"] == nil)
        }
    }

    @Test func `a key that is malformed is refused before anything is spent`() async throws {
        func confirmation(_ json: String) -> String { ProofSigner.base64URL(Data(json.utf8)) }
        let signer = try Self.signer.get()
        let good = try #require(signer.parameters["req_cnf"])
        let wrong: [([String: String], Int)] = [
            (["token_type": "pop"], 900_144),
            (["token_type": "pop", "req_cnf": ""], 900_144),
            (["token_type": "ssh-cert", "req_cnf": good], 90_023),
            (["req_cnf": good], 9_002_313),
            (["token_type": "pop", "req_cnf": #"{"kid":"\#(signer.keyID)"}"#], 9_002_313),
            (["token_type": "pop", "req_cnf": good + "="], 9_002_313),
            (["token_type": "pop", "req_cnf": good + "!"], 9_002_313),
            (["token_type": "pop", "req_cnf": confirmation("[\"\(signer.keyID)\"]")], 9_002_313),
            (["token_type": "pop", "req_cnf": confirmation("{\"kid\":7}")], 9_002_313),
            (["token_type": "pop", "req_cnf": confirmation("{\"kid\":\"short\"}")], 9_002_313),
            (["token_type": "pop", "req_cnf": confirmation("{\"kid\":\"\(signer.keyID)=\"}")], 9_002_313),
            (["token_type": "pop", "req_cnf": confirmation("{\"kid\":")], 9_002_313),
        ]
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let code = try #require(response.parameters["code"])
            for (changes, number) in wrong {
                let refused = try await bench.redeem(code, changing: changes)

                #expect(refused.status == 400)
                #expect(try refused.errorCode() == number, "\(changes)")
                #expect(try refused.json()["error"] as? String == "invalid_request")
            }
            let granted = try await bench.redeem(code, changing: signer.parameters)
            #expect(granted.status == 200)
        }
    }

    // MARK: Requests

    @Test(arguments: ["PoP", "pop", "Pop"])
    func `a signed request is accepted only once`(scheme: String) async throws {
        try await Self.run { attempt in
            let envelope = try attempt.envelope()
            let first = try await attempt.send(envelope, scheme: scheme)
            let second = try await attempt.send(envelope, scheme: scheme)
            let fresh = try await attempt.send(try attempt.envelope(header: ["kid": NSNull()]), scheme: scheme)

            #expect(first.status == 200)
            #expect(first.text.contains("megan@contoso.example"))
            expectRefusal(second, because: "used before")
            #expect(fresh.status == 200)
        }
    }

    @Test func `a signature is good for its own method, path and host only`() async throws {
        try await Self.run { attempt in
            let path = "/oidc/userinfo"
            let method = try await attempt.send(try attempt.envelope(path: path), method: .POST, path: path)
            let other = try await attempt.send(try attempt.envelope(path: path))
            let host = try await attempt.bench.send(
                .GET,
                to: "/v1.0/me",
                headers: ["host": "graph.microsoft.com", "authorization": "PoP \(try attempt.envelope())"]
            )
            let own = try await attempt.send(
                try attempt.envelope(method: "POST", path: path),
                method: .POST,
                path: path
            )

            expectRefusal(method, because: "another method")
            expectRefusal(other, because: "another path")
            expectRefusal(host, because: "another host")
            #expect(own.status == 200)
        }
    }

    @Test func `every member is checked`() async throws {
        let stranger = try ProofSigner(key: "stranger")
        try await Self.run { attempt in
            let now = Int(attempt.bench.emulator.now.timeIntervalSince1970)
            let wrong: [([String: Any], String)] = [
                (["m": "get"], "another method"),
                (["m": NSNull()], "another method"),
                (["u": "localhost"], "another host"),
                (["u": NSNull()], "another host"),
                (["p": "/v1.0/me/"], "another path"),
                (["p": NSNull()], "another path"),
                (["ts": now - 400], "too old"),
                (["ts": now + 400], "future"),
                (["ts": Int.min], "too old"),
                (["ts": "\(now)"], "too old"),
                (["ts": NSNull()], "too old"),
                (["nonce": NSNull()], "no nonce"),
                (["nonce": ""], "no nonce"),
                (["cnf": NSNull()], "not signed with the key"),
                (["cnf": ["jwk": stranger.jwk]], "not signed with the key"),
                (["cnf": ["kid": attempt.signer.keyID]], "not signed with the key"),
                (["at": NSNull()], "malformed"),
                (["at": "a.b.c"], "Signature is invalid"),
            ]
            for (changes, reason) in wrong {
                let response = try await attempt.send(try attempt.envelope(payload: changes))
                expectRefusal(response, because: reason)
            }
        }
    }

    @Test func `nothing but an RS256 signature by the key is taken`() async throws {
        let stranger = try ProofSigner(key: "stranger")
        try await Self.run { attempt in
            let good = try attempt.envelope()
            let parts = good.split(separator: ".").map(String.init)
            let forged = try stranger.envelope(
                attempt.token,
                host: attempt.host,
                at: attempt.bench.emulator.now,
                header: ["kid": attempt.signer.keyID],
                payload: ["cnf": ["jwk": attempt.signer.jwk]]
            )
            let wrong = [
                (try attempt.envelope(header: ["alg": "none"]), "signature"),
                (try attempt.envelope(header: ["alg": "HS256"]), "signature"),
                (try attempt.envelope(header: ["crit": ["b64"]]), "signature"),
                (try attempt.envelope(header: ["kid": stranger.keyID]), "not signed with the key"),
                (forged, "signature"),
                ("\(parts[0]).\(parts[1]).", "signature"),
                ("\(parts[0]).\(parts[1])", "malformed"),
                ("\(good).\(parts[2])", "malformed"),
                (good + "=", "malformed"),
                (good + "*", "malformed"),
                ("..", "malformed"),
            ]
            for (envelope, reason) in wrong {
                expectRefusal(try await attempt.send(envelope), because: reason)
            }
            let after = try await attempt.send(good)
            #expect(after.status == 200)
        }
    }

    @Test func `bound tokens are not accepted as bearer tokens, and vice versa`() async throws {
        try await Self.run { attempt in
            let asBearer = try await attempt.bench.get("/v1.0/me", token: attempt.token)
            let bearer = try #require(try await attempt.bench.tokens()["access_token"] as? String)
            let signed = try attempt.signer.envelope(bearer, host: attempt.host, at: attempt.bench.emulator.now)
            let asSigned = try await attempt.send(signed)

            expectRefusal(asBearer, because: "bound to a key")
            expectRefusal(asSigned, because: "not bound to a key")
        }
    }

    @Test func `time passes by the emulator's clock`() async throws {
        try await Self.run { attempt in
            let (early, late) = (try attempt.envelope(), try attempt.envelope())
            await attempt.bench.emulator.advanceClock(by: .seconds(290))
            let inTime = try await attempt.send(early)
            await attempt.bench.emulator.advanceClock(by: .seconds(20))
            let stale = try await attempt.send(late)
            await attempt.bench.emulator.advanceClock(by: .seconds(3600))
            let expired = try await attempt.send(try attempt.envelope())

            #expect(inTime.status == 200)
            expectRefusal(stale, because: "too old")
            expectRefusal(expired, because: "expired")
        }
    }

    @Test func `the to-do API asks for the proof too`() async throws {
        let write = "api://00000000-0000-4000-8000-0000000000a1/ToDoList.ReadWrite"
        try await Self.run(scope: write) { attempt in
            let path = "/api/todos"
            let body = #"{"text":"milk"}"#
            let envelope = try attempt.envelope(method: "POST", path: path)
            let created = try await attempt.send(envelope, method: .POST, path: path, body: body)
            let again = try await attempt.send(envelope, method: .POST, path: path, body: body)
            let list = try await attempt.send(try attempt.envelope(path: path), method: .GET, path: path)

            #expect(created.status == 201)
            expectRefusal(again, because: "used before")
            #expect(list.text == #"{"value":[{"text":"milk"}]}"#)
        }
    }
}
