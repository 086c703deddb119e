// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Obstacles of a sign-in in the pages, and the parameters of an application for them.
struct BrowserSignInTests {
    @Test func `ten wrong passwords lock the account for a minute, natively too`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL(tenant: "fabrikam"))
            try await browser.submit(["login": "password@fabrikam.example", "action": "next"])
            for _ in 0..<10 { try await browser.submit(["passwd": "wrong", "action": "signin"]) }
            let locked = try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let native = try await NativeApp(bench: bench).signIn("password@fabrikam.example")
            await bench.emulator.advanceClock(by: .seconds(61))
            let later = try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])

            #expect(locked.text.contains("AADSTS50053"))
            #expect(locked.text.contains("locked after too many wrong passwords"))
            #expect(try native.refusal() == Refusal("invalid_grant", number: 50_053))
            #expect(later.heading == "Stay signed in?")
        }
    }

    @Test(arguments: [("locked", 50_053), ("disabled", 50_057), ("expired", 50_055), ("change", 50_142)])
    func `the page shows what blocks the sign-in`(name: String, number: Int) async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL(tenant: "fabrikam"))
            try await browser.submit(["login": "\(name)@fabrikam.example", "action": "next"])
            let page = try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])

            #expect(page.heading == "Enter password")
            #expect(page.text.contains("AADSTS\(number)"))
        }
    }

    @Test func `going back to the name does not count as a wrong password`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL())
            try await browser.submit(["login": "alex@contoso.example", "action": "next"])
            let other = try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let consent = try await browser.submit(["action": "no"])

            #expect(other.heading == "Enter password")
            #expect(other.text.contains("megan@contoso.example"))
            #expect(!other.text.contains("AADSTS"))
            #expect(consent.text.contains("megan@contoso.example"))
        }
    }

    @Test func `a hint fills in the address of a new account`() async throws {
        try await Bench.run { bench in
            let page = try await bench.get(
                bench.authorizeURL(
                    tenant: "fabrikam",
                    changing: ["prompt": "create", "login_hint": "new@fabrikam.example"]
                )
            )

            #expect(page.heading == "Create account")
            #expect(page.text.contains("value=\"new@fabrikam.example\""))
        }
    }

    @Test func `a customer of another provider signs in where the native app was sent`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench)
                .signIn(bench.authorizeURL(tenant: "fabrikam"), as: "social@fabrikam.example")

            #expect(response.parameters["code"] != nil)
        }
    }

    @Test func `a user without a password types a code`() async throws {
        try await Bench.run { bench in
            let user = "code@fabrikam.example"
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL(tenant: "fabrikam"))
            let asked = try await browser.submit(["login": user, "action": "next"])
            let wrong = try await browser.submit(["otc": "wrong", "action": "verify"])
            let first = try #require(bench.emulator.newestCode(for: user))
            _ = try await browser.submit(["action": "resend"])
            let second = try #require(bench.emulator.newestCode(for: user))
            let right = try await browser.submit(["otc": second, "action": "verify"])

            #expect(asked.heading == "Enter code")
            #expect(asked.text.contains("c***e@fa******.example"))
            #expect(!asked.text.contains(first))
            #expect(wrong.text.contains("AADSTS50181"))
            #expect(bench.emulator.outbox.count == 2)
            #expect(right.heading == "Stay signed in?")
        }
    }

    @Test func `a second factor is asked for once in a browser, and opens the vault`() async throws {
        try await Bench.run { bench in
            let seed = bench.emulator.seed
            let changes: [String: String?] = ["scope": "\(seed.vaultScope) openid profile offline_access"]
            let browser = Browser(bench)
            let asked = try await browser.signIn(
                bench.authorizeURL(tenant: "fabrikam", changing: changes),
                as: "mfa@fabrikam.example"
            )
            let code = try #require(bench.emulator.newestCode(for: "mfa-second@fabrikam.example"))
            let stay = try await browser.submit(["otc": code, "action": "verify"])
            let response = try await browser.submit(["action": "no"])
            let again = try await browser.open(bench.authorizeURL(tenant: "fabrikam", changing: changes))
            let tokens = try await bench.send(
                .POST,
                to: "/fabrikam/oauth2/v2.0/token",
                form: [
                    "grant_type": "authorization_code", "client_id": seed.clientID,
                    "code": try #require(response.parameters["code"]), "redirect_uri": Bench.redirect,
                    "code_verifier": Bench.verifier,
                ]
            ).json()
            let vault = try await NativeApp(bench: bench)
                .refresh(tokens["refresh_token"], scope: seed.vaultScope)

            #expect(asked.heading == "Enter code")
            #expect(stay.heading == "Stay signed in?")
            #expect(again.parameters["code"] != nil)
            #expect(vault.status == 200)
        }
    }

    @Test(arguments: [true, false])
    func `without a page a missing second factor is an error`(hasMethod: Bool) async throws {
        try await Bench.run {
            guard hasMethod else { return }
            $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
        } _: { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let changes = ["prompt": "none", "scope": bench.emulator.seed.vaultScope]
            let response = try await browser.open(bench.authorizeURL(changing: changes))
            let number = hasMethod ? "AADSTS50076" : "AADSTS50079"

            #expect(response.parameters["error"] == "interaction_required")
            #expect(response.parameters["error_description"]?.contains(number) == true)
            #expect(response.parameters["suberror"] == "basic_action")
            #expect(response.parameters["claims"]?.contains("capolids") == true)
        }
    }

    @Test func `an authorization request may be posted`() async throws {
        try await Bench.run { bench in
            let parts = bench.authorizeURL().split(separator: "?")
            let form = try #require(parts.last)
            let response = try await bench.send(
                .POST,
                to: String(parts[0]),
                headers: ["content-type": "application/x-www-form-urlencoded"],
                body: String(form)
            )

            #expect(response.status == 200)
            #expect(response.heading == "Sign in")
        }
    }

    @Test func `a domain hint leaves the others out`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            for name in ["megan@contoso.example", "dana@personal.example"] {
                _ = try await browser.signIn(
                    bench.authorizeURL(tenant: "common", changing: ["prompt": "login"]),
                    as: name
                )
            }
            let all = try await browser.open(bench.authorizeURL(tenant: "common"))
            let organizations = try await browser.open(
                bench.authorizeURL(tenant: "common", changing: ["domain_hint": "organizations", "prompt": "none"])
            )
            let domain = try await browser.open(
                bench.authorizeURL(tenant: "common", changing: ["domain_hint": "fabrikam.example", "prompt": "none"])
            )

            #expect(all.heading == "Pick an account")
            #expect(organizations.parameters["code"] != nil)
            #expect(domain.parameters["error"] == "login_required")
        }
    }

    @Test(arguments: [true, false])
    func `only an instance-aware app hears of the cloud`(isAware: Bool) async throws {
        try await Bench.run { bench in
            let changes: [String: String?] = isAware ? ["instance_aware": "true"] : [:]
            let response = try await Browser(bench).signIn(bench.authorizeURL(changing: changes))

            #expect(response.parameters["code"] != nil)
            #expect(
                response.parameters["cloud_instance_host_name"] == (isAware ? "localhost:\(bench.emulator.port)" : nil)
            )
        }
    }

    @Test func `only the apps of a family share refresh tokens`() async throws {
        try await Bench.run { bench in
            let seed = bench.emulator.seed
            func tokens(_ client: String) async throws -> [String: Any] {
                let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["client_id": client]))
                return try await bench.redeem(
                    try #require(response.parameters["code"]),
                    changing: ["client_id": client]
                ).json()
            }
            func refresh(_ token: Any?, as client: String) async throws -> Bench.Response {
                try await bench.send(
                    .POST,
                    to: "/common/oauth2/v2.0/token",
                    form: [
                        "grant_type": "refresh_token", "client_id": client,
                        "refresh_token": try #require(token as? String), "scope": "User.Read openid profile",
                    ]
                )
            }
            let first = try await tokens(seed.familyClientID)
            let second = try await tokens(seed.secondFamilyClientID)
            let alone = try await tokens(seed.clientID)
            let shared = try await refresh(first["refresh_token"], as: seed.secondFamilyClientID)
            let stranger = try await refresh(first["refresh_token"], as: seed.clientID)
            let intruder = try await refresh(alone["refresh_token"], as: seed.familyClientID)

            #expect(first["foci"] as? String == "1")
            #expect(second["foci"] as? String == "1")
            #expect(alone["foci"] == nil)
            #expect(try Bench.claims(shared.json()["id_token"])["aud"] as? String == seed.secondFamilyClientID)
            #expect(try stranger.json()["suberror"] as? String == "client_mismatch")
            #expect(try intruder.errorCode() == 70_000)
        }
    }
}
