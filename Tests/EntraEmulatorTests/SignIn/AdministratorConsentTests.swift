// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `/adminconsent`: one administrator consents for everybody.
struct AdministratorConsentTests {
    private static func address(_ bench: Bench, changing changes: [String: String?] = [:]) -> String {
        var parameters = [
            "client_id": bench.emulator.seed.clientID, "redirect_uri": Bench.redirect, "state": "s-1",
            "scope": "https://graph.microsoft.com/Group.Read.All",
        ]
        for (name, value) in changes { parameters[name] = value }
        return "/\(Bench.tenant)/v2.0/adminconsent?" + Bench.encode(parameters)
    }

    @Test func `an administrator's consent applies to all users of the tenant`() async throws {
        try await Bench.run { bench in
            let scope = ["scope": "https://graph.microsoft.com/Group.Read.All"]
            let before = try await Browser(bench).signIn(bench.authorizeURL(changing: scope))
            let given = try await Browser(bench).signIn(Self.address(bench), as: "alex@contoso.example")
            let after = try await Browser(bench).signIn(bench.authorizeURL(changing: scope))

            #expect(before.heading == "Need admin approval")
            #expect(given.parameters["admin_consent"] == "True")
            #expect(given.parameters["tenant"] == Bench.tenant)
            #expect(given.parameters["state"] == "s-1")
            #expect(given.parameters["scope"] == "https://graph.microsoft.com/Group.Read.All")
            #expect(after.parameters["code"] != nil)
        }
    }

    @Test func `other users cannot grant it`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let refused = try await browser.signIn(Self.address(bench))
            let forged = try await browser.submit(["action": "accept"])

            #expect(refused.heading == "Need admin approval")
            #expect(forged.heading == "Need admin approval")
        }
    }

    @Test func `the consent page says for whom, and declining is told`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(Self.address(bench))
            try await browser.submit(["login": "alex@contoso.example", "action": "next"])
            try await browser.submit(["passwd": bench.emulator.seed.password, "action": "signin"])
            let page = try await browser.submit(["action": "no"])
            let declined = try await browser.submit(["action": "cancel"])

            #expect(page.text.contains("on behalf of all users in your organization"))
            #expect(declined.parameters["error"] == "consent_required")
            #expect(declined.parameters["admin_consent"] == "True")
            #expect(declined.parameters["tenant"] == Bench.tenant)
        }
    }

    @Test(
        arguments: [
            ["client_id": "nobody"], ["redirect_uri": "https://foreign.example"], ["redirect_uri": nil],
        ] as [[String: String?]]
    )
    func `an unknown client or redirect stays on a page`(changes: [String: String?]) async throws {
        try await Bench.run { bench in
            let page = try await bench.get(Self.address(bench, changing: changes))

            #expect(page.status == 400)
            #expect(page.location == nil)
        }
    }
}
