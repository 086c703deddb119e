// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// A page on another port of the host plants a cookie in somebody's browser, and knows its value.
struct SessionFixationTests {
    @Test(arguments: ["no", "yes"])
    func `a planted cookie opens nothing after the sign-in`(stay: String) async throws {
        try await Bench.run { bench in
            let planter = Browser(bench, cookies: ["__Host-entra-emulator-kmsi": "planted"])
            try await planter.open(bench.authorizeURL())
            let person = Browser(bench, cookies: planter.cookies)
            let signedIn = try await person.signIn(bench.authorizeURL(), stay: stay)
            let silent = bench.authorizeURL(changing: ["prompt": "none"])
            let planted = try await planter.open(silent)
            let own = try await person.open(silent)

            #expect(signedIn.parameters["code"] != nil)
            #expect(own.parameters["code"] != nil)
            #expect(planted.parameters["error"] == "login_required")
        }
    }

    @Test func `an attacker loses a planted sign-in once the user has signed in`() async throws {
        try await Bench.run { bench in
            let planter = Browser(bench)
            let begun = try await planter.open(bench.authorizeURL())
            let person = Browser(bench, cookies: planter.cookies)
            person.page = begun
            try await person.submit(["login": "megan@contoso.example", "action": "next"])
            let asked = try await person.submit(["passwd": "Pa55-word!", "action": "signin"])
            let elsewhere = try await planter.submit(["action": "no"])
            // A page of the same host makes the person's browser send what the planter knows.
            person.page = begun
            let forged = try await person.submit(["action": "no"])
            person.page = asked
            let consent = try await person.submit(["action": "no"])

            #expect(asked.heading == "Stay signed in?")
            for refused in [elsewhere, forged] { #expect(refused.text.contains("AADSTS165000")) }
            #expect(consent.heading == "Permissions requested")
        }
    }

    @Test func `another sign-in under way in the planted browser is not taken over`() async throws {
        try await Bench.run { bench in
            let planter = Browser(bench)
            let other = try await planter.open(bench.authorizeURL())
            let person = Browser(bench, cookies: planter.cookies)
            _ = try await person.signIn(bench.authorizeURL())
            person.page = other
            let forged = try await person.submit(["login": "megan@contoso.example", "action": "next"])

            #expect(forged.text.contains("AADSTS165000"))
        }
    }

    @Test func `a second factor counts only in the browser where it was given`() async throws {
        try await Bench.run {
            $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
        } _: { bench in
            let vault = bench.emulator.seed.vaultScope
            // The password is enough here, so the planter has a session.
            let planter = Browser(bench)
            let signedIn = try await planter.signIn(bench.authorizeURL())
            let person = Browser(bench, cookies: planter.cookies)
            let asked = try await person.open(bench.authorizeURL(changing: ["scope": vault]))
            let code = try #require(bench.emulator.newestCode(for: "+15550177"))
            try await person.submit(["otc": code, "action": "verify"])
            let verified = try await person.submit(["action": "accept"])
            let planted = try await planter.open(
                bench.authorizeURL(changing: ["prompt": "none", "scope": vault])
            )

            #expect(signedIn.parameters["code"] != nil)
            #expect(asked.text.contains("We sent a code"))
            #expect(verified.parameters["code"] != nil)
            #expect(planted.parameters["error"] == "login_required")
        }
    }

    @Test func `the people of a browser stay signed in when another one joins them`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            for (name, stay) in [("megan@contoso.example", "yes"), ("alex@contoso.example", "yes")] {
                _ = try await browser.signIn(
                    bench.authorizeURL(changing: ["prompt": "login"]),
                    as: name,
                    stay: stay
                )
            }
            let picker = try await browser.open(bench.authorizeURL())

            #expect(picker.heading == "Pick an account")
            #expect(picker.text.contains("megan@contoso.example"))
            #expect(picker.text.contains("alex@contoso.example"))
        }
    }
}
