// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct TokenTests {
    @Test func `a code leads to the canonical response`() async throws {
        try await Bench.run { bench in
            let body = try await bench.tokens()
            let idToken = try Bench.claims(body["id_token"])
            let access = try Bench.claims(body["access_token"])

            #expect(body["token_type"] as? String == "Bearer")
            #expect(body["scope"] as? String == "User.Read openid profile")
            #expect(body["expires_in"] as? Int == 3599)
            #expect(body["refresh_in"] == nil)
            #expect(body["client_info"] != nil)
            #expect(idToken["aud"] as? String == bench.emulator.seed.clientID)
            #expect(idToken["iss"] as? String == "\(bench.base)/\(Bench.tenant)/v2.0")
            #expect(idToken["nonce"] as? String == "n-1")
            #expect(idToken["preferred_username"] as? String == "megan@contoso.example")
            #expect(access["aud"] as? String == "00000003-0000-0000-c000-000000000000")
            #expect(access["ver"] as? String == "1.0")
            #expect(access["scp"] as? String == "User.Read openid profile")
        }
    }

    @Test(
        arguments: [
            (["code_verifier": String(repeating: "a", count: 43)], 501_481), (["code_verifier": nil], 900_144),
            (["redirect_uri": "http://localhost:5001"], 500_112), (["client_id": "Your_Application_Id_Here"], 70_000),
            (["code": "1.unknown"], 70_000), (["client_secret": "s"], 700_025), (["grant_type": "saml"], 70_003),
        ] as [([String: String?], Int)]
    )
    func `a code is bound to verifier, redirect and client`(changes: [String: String?], number: Int) async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let refused = try await bench.redeem(try #require(response.parameters["code"]), changing: changes)

            #expect(refused.status == (number == 700_025 ? 401 : 400))
            #expect(try refused.errorCode() == number)
            #expect(refused.headers.first(name: "cache-control") == "no-store")
        }
    }

    @Test func `verifiers cannot be tried one after another`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let code = try #require(response.parameters["code"])
            let guessed = try await bench.redeem(code, changing: ["code_verifier": String(repeating: "a", count: 43)])
            let right = try await bench.redeem(code)

            #expect(try guessed.errorCode() == 501_481)
            #expect(try right.errorCode() == 54_005)
        }
    }

    @Test func `a reused code revokes its tokens`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["claims": Bench.capable]))
            let code = try #require(response.parameters["code"])
            let body = try await bench.redeem(code).json()
            let before = try await bench.get("/v1.0/me", token: body["access_token"] as? String)
            let again = try await bench.redeem(code)
            let after = try await bench.get("/v1.0/me", token: body["access_token"] as? String)
            let refreshed = try await bench.refresh(try #require(body["refresh_token"] as? String))

            #expect(before.status == 200)
            #expect(try again.errorCode() == 54_005)
            #expect(after.status == 401)
            #expect(try refreshed.errorCode() == 50_173)
        }
    }

    @Test func `an old code, access token and refresh token expire by the emulator's clock`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let body = try await bench.tokens()
            await bench.emulator.advanceClock(by: .seconds(601))
            let late = try await bench.redeem(try #require(response.parameters["code"]))
            await bench.emulator.advanceClock(by: .seconds(3600))
            let me = try await bench.get("/v1.0/me", token: body["access_token"] as? String)
            await bench.emulator.advanceClock(by: .seconds(91 * 86_400))
            let refreshed = try await bench.refresh(try #require(body["refresh_token"] as? String))

            #expect(try late.errorCode() == 70_008)
            #expect(me.status == 401)
            #expect(try refreshed.errorCode() == 700_082)
        }
    }

    @Test func `a refresh token rotates and the old one stays valid`() async throws {
        try await Bench.run { bench in
            let token = try #require(try await bench.tokens()["refresh_token"] as? String)
            let first = try await bench.refresh(token).json()
            let second = try await bench.refresh(token)
            let other = try await bench.refresh(token, scope: bench.emulator.seed.toDoReadScope)

            #expect(first["refresh_token"] as? String != token)
            #expect(second.status == 200)
            #expect(try other.errorCode() == 65_001)
            #expect(try other.json()["suberror"] as? String == "consent_required")
        }
    }

    @Test func `strict rotation ends the sign-in when a refresh token comes twice`() async throws {
        try await Bench.run({ $0.strictRotation = true }) { bench in
            let token = try #require(try await bench.tokens()["refresh_token"] as? String)
            let first = try await bench.refresh(token).json()
            let reused = try await bench.refresh(token)
            let next = try await bench.refresh(try #require(first["refresh_token"] as? String))

            #expect(try reused.errorCode() == 50_173)
            #expect(try next.errorCode() == 50_173)
        }
    }

    @Test func `tokens appear only with the scopes that ask for them`() async throws {
        try await Bench.run { bench in
            let body = try await bench.tokens(["scope": bench.emulator.seed.toDoReadScope])

            #expect(body["id_token"] == nil)
            #expect(body["refresh_token"] == nil)
            #expect(body["scope"] as? String == bench.emulator.seed.toDoReadScope)
            #expect(try Bench.claims(body["access_token"])["aud"] as? String == "00000000-0000-4000-8000-0000000000a1")
        }
    }

    @Test func `userinfo returns the claims of the scopes`() async throws {
        try await Bench.run { bench in
            func userInfo(_ scope: String) async throws -> [String: Any] {
                let token = try await bench.tokens(["scope": scope])["access_token"] as? String
                return try await bench.get("/oidc/userinfo", token: token).json()
            }
            let bare = try await userInfo("openid")
            let full = try await userInfo("openid profile email")

            #expect(Set(bare.keys) == ["sub"])
            #expect(full["name"] as? String == "Megan Bowen")
            #expect(full["email"] as? String == "megan@contoso.example")
            #expect(full["sub"] as? String == bare["sub"] as? String)
        }
    }

    @Test func `Graph rejects tokens for other APIs`() async throws {
        try await Bench.run { bench in
            let toDo = try await bench.tokens(["scope": bench.emulator.seed.toDoReadScope])["access_token"] as? String
            let none = try await bench.get("/v1.0/me")
            let garbage = try await bench.get("/v1.0/me", token: "a.b.c")
            let foreign = try await bench.get("/v1.0/me", token: toDo)

            for response in [none, garbage, foreign] {
                #expect(response.status == 401)
                #expect(response.text.contains("InvalidAuthenticationToken"))
                #expect(response.headers.first(name: "www-authenticate")?.hasPrefix("Bearer") == true)
            }
        }
    }

    @Test func `the to-do API requires the correct scope for each method`() async throws {
        try await Bench.run { bench in
            let seed = bench.emulator.seed
            let read = try #require(try await bench.tokens(["scope": seed.toDoReadScope])["access_token"] as? String)
            let write = try #require(
                try await bench.tokens(["scope": seed.toDoReadWriteScope])["access_token"] as? String
            )
            func post(_ token: String) async throws -> Bench.Response {
                try await bench.send(
                    .POST,
                    to: "/api/todos",
                    headers: ["authorization": "Bearer \(token)"],
                    body: "{\"text\":\"milk\"}"
                )
            }
            let bare = try await bench.get("/api/todos")
            let denied = try await post(read)
            let created = try await post(write)
            let list = try await bench.get("/api/todos", token: read)

            #expect(bare.status == 401)
            #expect(bare.headers.first(name: "www-authenticate")?.contains("Bearer") == true)
            #expect(denied.status == 403)
            #expect(created.status == 201)
            #expect(list.text.contains("milk"))
        }
    }
}
