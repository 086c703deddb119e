// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Signing in without typing.
struct ShortcutTests {
    private static let megan = "megan@contoso.example"

    @Test func `one click signs in, and the journal says so`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let page = try await browser.open(bench.authorizeURL())
            let consent = try await browser.submit(["person": Self.megan])
            let done = try await browser.submit(["action": "accept"])
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))

            #expect(page.text.contains("Users of this emulator"))
            #expect(page.text.contains("value=\"\(Self.megan)\""))
            #expect(!page.text.contains("dana@personal.example"))
            #expect(consent.heading == "Permissions requested")
            #expect(done.parameters["code"] != nil)
            #expect(silent.parameters["code"] != nil)
            let remark = "'\(Self.megan)' was signed in by one click on the page"
            #expect(bench.emulator.journal.contains { $0.remark == remark })
        }
    }

    @Test func `a click from another site, without the form's token, or without a list signs no user in`()
        async throws
    {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let page = try await browser.open(bench.authorizeURL())
            let flow = try #require(page.part(from: "name=\"flow\" value=\"", to: "\""))
            let token = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
            let path = "/\(Bench.tenant)/signin"
            let form = ["flow": flow, "csrf": token, "person": Self.megan]
            let foreign = try await browser.post(path, form: form, from: "cross-site")
            let blind = try await browser.post(path, form: ["flow": flow, "person": Self.megan])
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))

            #expect(foreign.text.contains("AADSTS165000"))
            #expect(blind.text.contains("AADSTS165000"))
            #expect(silent.parameters["error"] == "login_required")
        }
        try await Bench.run({ $0.people = .hidden }) { bench in
            let browser = Browser(bench)
            let page = try await browser.open(bench.authorizeURL())
            let refused = try await browser.submit(["person": Self.megan])

            #expect(!page.text.contains("Users of this emulator"))
            #expect(refused.heading == "Sign in")
        }
    }

    @Test func `policies ask a person who clicked, too`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL(changing: ["scope": bench.emulator.seed.vaultScope]))
            let asked = try await browser.submit(["person": Self.megan])

            #expect(asked.heading == "More information required")
        }
    }

    @Test func `only the next matching requests are completed`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let body: [String: Any] = [
                "userPrincipalName": Self.megan, "clientId": bench.emulator.seed.clientID, "count": 2,
            ]
            let queued = try await control.call(.POST, "/sign-in", body)
            let other = try await bench.get(
                bench.authorizeURL(changing: ["client_id": bench.emulator.seed.tutorialClientID])
            )
            let first = try await bench.get(bench.authorizeURL())
            let vault = try await bench.get(bench.authorizeURL(changing: ["scope": bench.emulator.seed.vaultScope]))
            let third = try await bench.get(bench.authorizeURL())
            let nobody = try await control.call(.POST, "/sign-in", ["userPrincipalName": "nobody@contoso.example"])

            #expect(queued.status == 201)
            #expect(other.heading == "Sign in")
            #expect(first.parameters["code"] != nil)
            #expect(vault.parameters["code"] != nil)
            #expect(third.heading == "Sign in")
            #expect(nobody.status == 404)
        }
    }

    @Test(arguments: [true, false])
    func `a hint is sufficient if that is enabled`(isEnough: Bool) async throws {
        try await Bench.run({ $0.signsInByHint = isEnough }) { bench in
            let response = try await bench.get(bench.authorizeURL(changing: ["login_hint": Self.megan]))
            let stranger = try await bench.get(bench.authorizeURL(changing: ["login_hint": "nobody@contoso.example"]))

            #expect((response.parameters["code"] != nil) == isEnough)
            #expect(stranger.heading == "Sign in")
        }
    }

    @Test func `if other machines can connect, users are listed only on request`() async throws {
        for people in [PeopleList.onLoopback, .everywhere] {
            try await Bench.run {
                $0.listenAddress = "0.0.0.0"
                $0.people = people
                $0.signsInByHint = true
            } _: { bench in
                let page = try await bench.get(bench.authorizeURL())
                let hinted = try await bench.get(bench.authorizeURL(changing: ["login_hint": Self.megan]))

                #expect(page.text.contains("Users of this emulator") == (people == .everywhere))
                #expect((hinted.parameters["code"] != nil) == (people == .everywhere))
                #expect(
                    bench.emulator.reachabilityWarnings.contains { $0.contains("one click") } == (people == .everywhere)
                )
            }
        }
    }

    @Test func `fields and buttons have the names and ids of Microsoft's pages`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let name = try await browser.open(bench.authorizeURL())
            let password = try await browser.submit(["loginfmt": Self.megan, "action": "next"])
            let stay = try await browser.submit(["passwd": bench.emulator.seed.password, "action": "signin"])
            let consent = try await browser.submit(["action": "no"])
            try await browser.submit(["action": "accept"])
            let picker = try await browser.open(bench.authorizeURL(changing: ["prompt": "select_account"]))

            for part in ["id=\"i0116\" name=\"loginfmt\"", "id=\"idSIButton9\""] { #expect(name.text.contains(part)) }
            for part in ["id=\"i0118\" name=\"passwd\"", "id=\"idSIButton9\"", "id=\"idBtn_Back\""] {
                #expect(password.text.contains(part))
            }
            for part in ["id=\"idSIButton9\"", "id=\"idBtn_Back\""] { #expect(stay.text.contains(part)) }
            #expect(consent.text.contains("id=\"idBtn_Accept\""))
            #expect(picker.text.contains("data-test-id=\"\(Self.megan)\""))
        }
    }

    @Test func `a button may be sent by what it does, or by what Microsoft's shows`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let name = try await browser.open(bench.authorizeURL())
            let password = try await browser.submit(["loginfmt": Self.megan, "action": "Next"])
            try await browser.submit(["passwd": bench.emulator.seed.password, "action": "Sign in"])
            try await browser.submit(["action": "No"])
            let end = try await browser.submit(["action": "Accept"])

            #expect(name.text.contains("type=\"email\""))
            for page in [name, password] { #expect(page.text.contains("<input type=\"submit\" id=\"idSIButton9\"")) }
            #expect(end.parameters["code"] != nil)
        }
    }
}
