// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase
import MSALHummingbird
import MSALServer
import MSALStoreConformance
import TestSupport
import Testing

/// Forged, replayed, expired, and foreign input to a web application. Each ends with a page, and without a session.
struct WebApplicationBadInputTests {
    /// Checks that the response is a page with an explanation, and that the browser has no session.
    private func expect(
        _ answer: WebBrowser.Answer,
        _ status: HTTPResponse.Status,
        _ title: String,
        in browser: WebBrowser,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(answer.status == status && answer.body.contains("<h1>\(title)</h1>"), sourceLocation: location)
        #expect(try await browser.get("/").body == "nobody", sourceLocation: location)
    }

    // MARK: - Cookies

    @Test(arguments: [
        "", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 42) + "!",
        String(repeating: "A", count: 8000), "a b", "%00", "é",
    ])
    func `a forged session cookie opens nothing`(_ value: String) async throws {
        let browser = WebBrowser(try WebSite())
        browser["__Host-session"] = value

        #expect(try await browser.get("/").body == "nobody")
        #expect(try await browser.get("/account").status == .seeOther)
    }

    @Test func `only well-formed session cookies are looked up in the store`() async throws {
        let store = FaultyStore(MSALMemoryStore())
        let browser = WebBrowser(try WebSites { _ in store }.sites[0])

        browser["__Host-session"] = String(repeating: "x", count: 8000)
        _ = try await browser.get("/")
        #expect(store.asked == 0)
        browser["__Host-session"] = String(repeating: "A", count: 43)
        _ = try await browser.get("/")
        #expect(store.asked == 1)
    }

    @Test func `a session ID that was planted before the sign-in opens nothing afterwards`() async throws {
        let site = try WebSite()
        let (attacker, victim) = (WebBrowser(site), WebBrowser(site))
        try await attacker.signIn()
        let planted = try #require(attacker["__Host-session"])
        _ = try await attacker.post("/signout", try await attacker.formField())
        victim["__Host-session"] = planted

        try await victim.signIn()

        attacker["__Host-session"] = planted
        #expect(victim["__Host-session"] != planted)
        #expect(try await attacker.get("/").body == "nobody")
        #expect(try await victim.get("/").body == "Megan Bowen")
    }

    @Test func `a damaged, renamed, or foreign cookie of a sign-in is not accepted`() async throws {
        let site = try WebSite()
        let browser = WebBrowser(site)
        let redirect = try await browser.get("/account")
        let form = try browser.form(for: redirect)
        let name = try #require(browser.cookieNames.first)
        let value = try #require(browser[name])
        let other = WebBrowser(try WebSite(seed: 9))
        _ = try await other.get("/account")
        let foreignName = try #require(other.cookieNames.first)
        let foreign = try #require(other[foreignName])

        let damaged = String(value.dropLast(4)) + "AAAA"
        for forged in [damaged, foreign, String(repeating: "A", count: 8000), "", "é"] {
            let attempt = WebBrowser(site)
            attempt.plant(name, forged)
            try await expect(
                try await attempt.post("/signin-oidc", form, isCrossSite: true),
                .badRequest,
                "Please begin again",
                in: attempt
            )
        }
        #expect(try await browser.post("/signin-oidc", form, isCrossSite: true).location == "/account")
    }

    // MARK: - Responses of the service

    @Test func `a state of another browser is not accepted`() async throws {
        let site = try WebSite()
        let (attacker, victim) = (WebBrowser(site), WebBrowser(site))
        let form = try attacker.form(for: try await attacker.get("/account"))
        _ = try await victim.get("/account")

        let answer = try await victim.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .badRequest, "Please begin again", in: victim)
        #expect(site.story.service.forms.isEmpty)
    }

    @Test func `a code is redeemed once`() async throws {
        let browser = WebBrowser(try WebSite())
        let form = try browser.form(for: try await browser.get("/account"))
        _ = try await browser.post("/signin-oidc", form, isCrossSite: true)

        let again = try await browser.post("/signin-oidc", form, isCrossSite: true)

        #expect(again.status == .badRequest && again.body.contains("Please begin again"))
        #expect(browser.site.story.service.forms.count == 1)
        #expect(try await browser.get("/").body == "Megan Bowen")
    }

    @Test func `a code that a copied cookie brings again is refused by the service, without a session`() async throws {
        let site = try WebSite()
        let (browser, thief) = (WebBrowser(site), WebBrowser(site))
        let redirect = try await browser.get("/account")
        let name = try #require(browser.cookieNames.first)
        let value = try #require(browser[name])
        thief.plant(name, value)
        let form = try browser.form(for: redirect)
        _ = try await browser.post("/signin-oidc", form, isCrossSite: true)
        site.story.service.append(SignInService.refusal("invalid_grant", code: 54005))

        let answer = try await thief.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .badRequest, "Please begin again", in: thief)
    }

    @Test(arguments: ["code=1&code=2&state=a", "code=%", "", "state=", "code=1&state=%FF", "error=x&state="])
    func `a malformed response ends with a page`(_ form: String) async throws {
        let browser = WebBrowser(try WebSite())

        let answer = try await browser.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .badRequest, "Please begin again", in: browser)
    }

    @Test func `an oversized response is rejected`() async throws {
        let browser = WebBrowser(try WebSite())

        let form = String(repeating: "x", count: 70_000)

        #expect(try await browser.post("/signin-oidc", form, isCrossSite: true).status == .contentTooLarge)
    }

    @Test func `a sign-in that took too long ends with a page`() async throws {
        let browser = WebBrowser(try WebSite())
        let form = try browser.form(for: try await browser.get("/account"))
        browser.site.story.time.advance(by: .seconds(3601))

        let answer = try await browser.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .badRequest, "Please begin again", in: browser)
    }

    @Test func `a user who declines gets a page`() async throws {
        let browser = WebBrowser(try WebSite())
        let state = try #require(try await browser.get("/account").parameter("state"))

        let form = "error=access_denied&error_subcode=cancel&state=\(state)"
        let answer = try await browser.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .ok, "Not signed in", in: browser)
    }

    @Test func `instances whose clocks are ten minutes apart end the sign-in with a page`() async throws {
        let sites = try WebSites(clocksApart: .seconds(600)).sites
        let browser = WebBrowser(sites[1])
        let form = try browser.form(for: try await browser.get("/account"))
        browser.site = sites[0]

        let answer = try await browser.post("/signin-oidc", form, isCrossSite: true)

        try await expect(answer, .badRequest, "Please begin again", in: browser)
    }

    @Test func `instances whose clocks are ten minutes apart agree about the end of a session`() async throws {
        let sites = try WebSites(clocksApart: .seconds(600))
        let browser = WebBrowser(sites.sites[0])
        try await browser.signIn()
        browser.site = sites.sites[1]

        #expect(try await browser.get("/").body == "Megan Bowen")
        sites.store.advance(by: .seconds(3601))
        #expect(try await browser.get("/").body == "nobody")
    }

    // MARK: - Addresses

    @Test(arguments: [
        "https://evil.example/", "//evil.example/", "/\\evil.example/", "\\\\evil.example/", "/\t/evil.example/",
        "/\n/evil.example", "evil.example", "javascript:alert(1)", "///evil.example", "/\u{0}/evil.example",
        "https:evil.example", "/é", " //evil.example", "",
    ])
    func `a return address on another host is replaced`(_ address: String) async throws {
        let browser = WebBrowser(try WebSite())

        let back = try await browser.complete(try await browser.get("/signin?return=\(address.percentEncoded())"))

        #expect(back.location == "/")
    }

    @Test func `a return address on the site is kept`() async throws {
        let browser = WebBrowser(try WebSite())

        let back = try await browser.complete(try await browser.get("/signin?return=/orders%3Fpage%3D2%26all"))

        #expect(back.location == "/orders?page=2&all")
    }

    @Test func `addresses that a client names have no effect`() async throws {
        let browser = WebBrowser(try WebSite())
        var headers: HTTPFields = [:]
        for name in ["X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix", "Forwarded", "X-Original-URL"] {
            headers[try #require(HTTPField.Name(name))] = "evil.example"
        }

        let redirect = try await browser.get("/account", headers: headers)

        #expect(redirect.parameter("redirect_uri") == "https://app.contoso.example/signin-oidc")
        #expect(try await browser.complete(redirect).location == "/account")
    }

    // MARK: - Forms

    @Test func `a form without the session's token is rejected`() async throws {
        let site = try WebSite()
        let (browser, other) = (WebBrowser(site), WebBrowser(site))
        try await browser.signIn()
        try await other.signIn()
        let field = try await browser.formField()

        let foreign = try await other.formField()
        for body in ["note=1", "note=1&formToken=", "note=1&formToken=x", "note=1&\(foreign)", "%"] {
            let answer = try await browser.post("/notes", body)
            #expect(answer.status == .forbidden && answer.body.contains("Nothing was changed"))
        }
        #expect(try await browser.post("/signout", "formToken=x").body.contains("Not signed out"))
        #expect(try await browser.post("/notes", "note=1&\(field)").body == "1")
    }

    @Test(arguments: [
        ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Origin", "null"),
        ("Origin", "https://app.contoso.example.evil.example"), ("Origin", "http://app.contoso.example"),
    ])
    func `a form of another site is rejected even with the token`(_ name: String, _ value: String) async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        let headers: HTTPFields = [try #require(HTTPField.Name(name)): value]

        let answer = try await browser.post("/notes", "note=1&\(try await browser.formField())", headers: headers)

        #expect(answer.status == .forbidden)
    }

    @Test func `a form of a site whose redirect URI names the usual port is accepted`() async throws {
        let browser = WebBrowser(try WebSite(redirectUri: "HTTPS://App.Contoso.example:443/signin-oidc"))
        try await browser.signIn()
        let headers: HTTPFields = [.origin: "https://app.contoso.example"]

        let answer = try await browser.post("/notes", "note=1&\(try await browser.formField())", headers: headers)

        #expect(answer.body == "1")
    }

    // MARK: - Stores and tokens

    @Test(arguments: [FaultyStore.Fault.failure, .silence, .slowness])
    func `a store that is lost in the middle of a sign-in ends it without a session`(
        _ fault: FaultyStore.Fault
    ) async throws {
        let store = FaultyStore(MSALMemoryStore())
        let browser = WebBrowser(try WebSites { _ in store }.sites[0])
        let redirect = try await browser.get("/account")
        store.fail(FaultyStore.Operation.allCases, fault)

        let answer = try await browser.complete(redirect)
        store.fail(FaultyStore.Operation.allCases, nil)

        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] != nil)
        #expect(browser["__Host-session"] == nil)
        try await expect(answer, .serviceUnavailable, "Please try again", in: browser)
    }

    @Test func `a store that is full rejects sign-ins, and keeps the sessions`() async throws {
        let store = FaultyStore(MSALMemoryStore())
        let site = try WebSites { _ in store }.sites[0]
        let (earlier, later) = (WebBrowser(site), WebBrowser(site))
        try await earlier.signIn()
        store.fail([.write])

        let answer = try await later.signIn()

        try await expect(answer, .serviceUnavailable, "Please try again", in: later)
        #expect(try await earlier.get("/").body == "Megan Bowen")
    }

    @Test func `a session that cannot be found now is not ended`() async throws {
        let store = FaultyStore(MSALMemoryStore())
        let browser = WebBrowser(try WebSites { _ in store }.sites[0])
        try await browser.signIn()
        store.fail()

        let away = try await browser.get("/account")
        store.fail(FaultyStore.Operation.allCases, nil)

        #expect(away.status == .serviceUnavailable && away.headers[.retryAfter] == "1")
        #expect(try await browser.get("/account").body == SignInService.user)
    }

    @Test func `a page for a request without a body has none either`() async throws {
        let store = FaultyStore(MSALMemoryStore())
        let browser = WebBrowser(try WebSites { _ in store }.sites[0])
        browser["__Host-session"] = String(repeating: "A", count: 43)
        store.fail()

        let answer = try await browser.send(.head, "/")

        #expect(answer.status == .serviceUnavailable && answer.body.isEmpty)
    }

    @Test func `a damaged value of the store is no session`() async throws {
        let store = FaultyStore(MSALMemoryStore())
        let browser = WebBrowser(try WebSites { _ in store }.sites[0])
        try await browser.signIn()
        store.change { _, entry in
            let value = entry.value.isEmpty ? [] : entry.value.dropLast() + [entry.value[entry.value.count - 1] ^ 1]
            return MSALStoreEntry(value: Array(value), version: entry.version, expiresIn: entry.expiresIn)
        }

        #expect(try await browser.get("/").body == "nobody")
        #expect(try await browser.get("/account").status == .seeOther)
    }

    @Test func `a session whose tokens are gone leads to a sign-in`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        await browser.site.story.application.removeTokens(homeAccountIdentifier: SignInService.homeAccountID)

        let redirect = try await browser.get("/profile")

        #expect(redirect.status == .seeOther)
        #expect(try await browser.complete(redirect, access: "at-2").location == "/profile")
        #expect(try await browser.get("/profile").body == "at-2")
    }

    @Test func `a user who is disabled during the session is sent to the service`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        browser.site.story.time.advance(by: .seconds(3400))
        browser.site.story.service.append(SignInService.refusal("invalid_grant", code: 50057))

        #expect(try await browser.get("/profile").status == .seeOther)
    }

    @Test func `a service that does not respond leads to a page, and the session continues`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        browser.site.story.time.advance(by: .seconds(3400))
        for _ in 0..<4 { browser.site.story.service.append(.json("{}", status: 503, to: "/oauth2/v2.0/token")) }

        let answer = try await browser.get("/profile")

        #expect(answer.status == .serviceUnavailable && answer.body.contains("You are not signed out"))
        #expect(try await browser.get("/").body == "Megan Bowen")
    }
}
