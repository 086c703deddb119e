// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Whether a person is asked before the browser is signed out.
struct SignOutTests {
    private static let path = "/\(Bench.tenant)/oauth2/v2.0/logout"
    private static let back = ["post_logout_redirect_uri": Bench.redirect, "state": "x"]

    /// Somebody who is signed in.
    private struct Person {
        let bench: Bench
        let browser: Browser
        let idToken: String

        init(_ bench: Bench, scope: String = "openid") async throws {
            self.bench = bench
            browser = Browser(bench)
            let response = try await browser.signIn(bench.authorizeURL(changing: ["scope": "User.Read \(scope)"]))
            let code = try #require(response.parameters["code"])
            idToken = try #require(try await bench.redeem(code).json()["id_token"] as? String)
        }

        /// Whether the browser is still signed in.
        func isSignedIn() async throws -> Bool {
            let silent = bench.authorizeURL(changing: ["prompt": "none", "scope": "User.Read openid"])
            return try await browser.open(silent).parameters["code"] != nil
        }

        func signOut(from site: String?, hint: String? = nil) async throws -> Bench.Response {
            var parameters = SignOutTests.back
            parameters["id_token_hint"] = hint
            return try await browser.open("\(SignOutTests.path)?\(Bench.encode(parameters))", from: site)
        }
    }

    @Test func `another site does not sign the browser out before the person says so`() async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let asked = try await person.signOut(from: "cross-site")
            let isSignedIn = try await person.isSignedIn()
            person.browser.page = asked
            let confirmed = try await person.browser.submit([:])
            let isSignedInAfterwards = try await person.isSignedIn()

            #expect(asked.status == 200)
            #expect(asked.heading == "Sign out?")
            #expect(isSignedIn)
            #expect(confirmed.location == "http://localhost:5000/?state=x")
            #expect(!isSignedInAfterwards)
        }
    }

    @Test(arguments: ["none", "same-origin", "same-site", nil])
    func `a request that no other site made goes through`(site: String?) async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let response = try await person.signOut(from: site)
            let isSignedIn = try await person.isSignedIn()

            #expect(response.location == "http://localhost:5000/?state=x")
            #expect(!isSignedIn)
        }
    }

    @Test(arguments: ["openid", "openid profile"])
    func `an ID token of the person speaks for them, however old it is`(scope: String) async throws {
        try await Bench.run { bench in
            let person = try await Person(bench, scope: scope)
            await bench.emulator.advanceClock(by: .seconds(7200))
            let response = try await person.signOut(from: "cross-site", hint: person.idToken)

            #expect(response.location == "http://localhost:5000/?state=x")
        }
    }

    @Test func `an ID token of another user, or with another signature, does not skip the question`() async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let other = try await Browser(bench).signIn(bench.authorizeURL(), as: "alex@contoso.example")
            let body = try await bench.redeem(try #require(other.parameters["code"])).json()
            let foreign = try #require(body["id_token"] as? String)
            let damaged = String(person.idToken.dropLast(8)) + "AAAAAAAA"
            for hint in [
                foreign, damaged, "a.b.c", person.idToken.split(separator: ".").prefix(2).joined(separator: "."),
            ] {
                let response = try await person.signOut(from: "cross-site", hint: hint)
                #expect(response.heading == "Sign out?")
            }
            let isSignedIn = try await person.isSignedIn()
            #expect(isSignedIn)
        }
    }

    @Test func `a form of another site is asked about, too`() async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let posted = try await person.browser.post(Self.path, form: Self.back, from: "cross-site")
            let asked = try await person.browser.open(try #require(posted.location), from: "cross-site")

            #expect(posted.status == 303)
            #expect(posted.headers["set-cookie"].isEmpty)
            #expect(asked.heading == "Sign out?")
        }
    }

    @Test func `the page's form is good in its own browser only`() async throws {
        try await Bench.run { bench in
            let (person, other) = (try await Person(bench), try await Person(bench))
            person.browser.page = try await other.signOut(from: "cross-site")
            let refused = try await person.browser.submit([:])
            let isSignedIn = try await person.isSignedIn()

            #expect(refused.text.contains("AADSTS165000"))
            #expect(isSignedIn)
        }
    }

    // MARK: Whom to sign out

    @Test func `the claim of a hint leaves out the question, and a name does not`() async throws {
        try await Bench.run {
            $0.directory.applications[0].optionalClaims = ["login_hint"]
        } _: { bench in
            let person = try await Person(bench)
            let hint = try #require(try Bench.claims(person.idToken)["login_hint"] as? String)
            let named = try await person.browser.open(
                "\(Self.path)?logout_hint=megan@contoso.example",
                from: "cross-site"
            )
            let changed = try await person.browser.open("\(Self.path)?logout_hint=\(hint)A", from: "cross-site")
            let hinted = try await Browser(bench).open(bench.authorizeURL(changing: ["login_hint": hint]))
            let left = try await person.browser.open("\(Self.path)?logout_hint=\(hint)", from: "cross-site")
            let isSignedIn = try await person.isSignedIn()

            #expect(named.heading == "Sign out?")
            #expect(changed.heading == "Sign out?")
            #expect(hinted.heading == "Enter password")
            #expect(left.heading == "You signed out")
            #expect(!isSignedIn)
        }
    }

    @Test(arguments: ["megan@contoso.example", nil])
    func `where several people are signed in, the page asks who leaves`(leaving: String?) async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let other = bench.authorizeURL(changing: ["prompt": "login", "scope": "User.Read openid"])
            _ = try await person.browser.signIn(other, as: "alex@contoso.example")
            let asked = try await person.signOut(from: "same-origin")
            person.browser.page = asked
            let left = try await person.browser.submit(leaving.map { ["account": $0] } ?? [:])
            let silent = try await person.browser.open(
                bench.authorizeURL(changing: ["prompt": "none", "scope": "User.Read openid"])
            )

            #expect(asked.heading == "Which account do you want to sign out of?")
            #expect(asked.text.contains("data-test-id=\"alex@contoso.example\""))
            #expect(left.location == "http://localhost:5000/?state=x")
            // Alex is alone now, or nobody is there.
            #expect((silent.parameters["code"] != nil) == (leaving != nil))
        }
    }

    @Test func `an ID token says who of several people leaves`() async throws {
        try await Bench.run { bench in
            let person = try await Person(bench)
            let other = bench.authorizeURL(changing: ["prompt": "login", "scope": "User.Read openid"])
            _ = try await person.browser.signIn(other, as: "alex@contoso.example")
            let left = try await person.signOut(from: "cross-site", hint: person.idToken)
            let silent = try await person.browser.open(
                bench.authorizeURL(changing: ["prompt": "none", "scope": "User.Read openid"])
            )
            let code = try #require(silent.parameters["code"])
            let idToken = try await bench.redeem(code).json()["id_token"]

            #expect(left.location == "http://localhost:5000/?state=x")
            let stays = try #require(try Bench.claims(idToken)["sub"] as? String)
            #expect(try Bench.claims(person.idToken)["sub"] as? String != stays)
        }
    }

    // MARK: Front-channel sign-out

    @Test(arguments: ["no", "yes"])
    func `the applications of this session hear of its end in frames`(stay: String) async throws {
        try await Bench.run {
            for index in 0..<2 {
                $0.directory.applications[index].frontChannelLogoutURI = "http://localhost:5000/ended\(index)?a=b"
            }
        } _: { bench in
            let address = bench.authorizeURL(changing: ["scope": "User.Read openid"])
            let browser = Browser(bench)
            let signedIn = try await browser.signIn(address, stay: stay)
            let token = try await bench.redeem(try #require(signedIn.parameters["code"])).json()["id_token"]
            let claims = try Bench.claims(token)
            // Another session, in which the other application is used.
            let other = Browser(bench)
            _ = try await other.signIn(
                bench.authorizeURL(changing: ["client_id": bench.emulator.seed.tutorialClientID])
            )
            let left = try await browser.open("\(Self.path)?\(Bench.encode(Self.back))")
            let again = try await browser.open("\(Self.path)?\(Bench.encode(Self.back))")

            let frame = try #require(left.part(from: "<iframe src=\"", to: "\""))
            let sid = try #require(claims["sid"] as? String)
            #expect(left.heading == "You signed out")
            #expect(frame.hasPrefix("http://localhost:5000/ended0?a=b&amp;iss="))
            #expect(frame.hasSuffix("&amp;sid=\(sid)"))
            // The bench redeems codes at an address without a port.
            let issuerText = try #require(claims["iss"] as? String)
            let issuer = try #require(URL(string: issuerText))
            #expect(frame.removingPercentEncoding?.contains("\(issuer.path())&amp;sid=") == true, "\(frame)")
            #expect(left.text.components(separatedBy: "<iframe").count == 2)
            #expect(
                left.headers.first(name: "content-security-policy")?.contains("frame-src http://localhost:5000;")
                    == true
            )
            #expect(left.headers.first(name: "refresh") == "5; url=http://localhost:5000/?state=x")
            #expect(again.location == "http://localhost:5000/?state=x")
        }
    }

    @Test(arguments: ["http://app.contoso.example/ended", "javascript:alert(1)", "/ended"])
    func `an address that no frame may open is refused`(address: String) {
        var directory = EmulatorDirectory.seed
        directory.applications[0].frontChannelLogoutURI = address

        #expect(throws: EmulatorDirectory.InvalidEntry.self) { try directory.validate() }
    }

    @Test func `without a session, no question is asked`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).open(Self.path, from: "cross-site")

            #expect(response.heading == "You signed out")
        }
    }
}
