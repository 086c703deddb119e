// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import MSALStoreConformance
import TestSupport
import Testing

/// Sign-ins, sessions, and sign-outs of a web application on Hummingbird.
struct WebApplicationTests {
    @Test func `a user signs in, returns to the requested page, and is known there`() async throws {
        let browser = WebBrowser(try WebSite())

        let redirect = try await browser.get("/account?tab=2")
        let back = try await browser.complete(redirect)
        let account = try await browser.get(back.location)

        #expect(redirect.status == .seeOther && redirect.location.hasPrefix("https://login.microsoftonline.com/"))
        #expect(back.status == .seeOther && back.location == "/account?tab=2")
        #expect(account.body == SignInService.user)
        #expect(account.headers[.cacheControl] == "no-store")
        #expect(browser.cookieNames == ["__Host-session", "__Host-signin"])
    }

    @Test func `pages that the application caches on purpose stay cacheable`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()

        #expect(try await browser.get("/cached").headers[.cacheControl] == "private")
    }

    @Test func `two tabs sign in at the same time`() async throws {
        let browser = WebBrowser(try WebSite())
        let redirects = [try await browser.get("/account"), try await browser.get("/profile")]

        let second = try await browser.complete(redirects[1])
        let first = try await browser.complete(redirects[0])

        #expect(first.location == "/account" && second.location == "/profile")
    }

    @Test func `a browser that starts many sign-ins keeps the cookies of the latest ones`() async throws {
        let browser = WebBrowser(try WebSite())
        var redirects: [WebBrowser.Answer] = []
        for _ in 0..<9 {
            redirects.append(try await browser.get("/account"))
            browser.site.story.time.advance(by: .seconds(1))
        }

        #expect(browser.cookieNames.count == 4)
        #expect(try await browser.complete(redirects[8]).location == "/account")
        #expect(try await browser.complete(redirects[0]).status == .badRequest)
    }

    @Test func `a response in the query needs no cookie for other sites`() async throws {
        let browser = WebBrowser(try WebSite { $0.responseMode = .query })

        let redirect = try await browser.get("/account")
        let back = try await browser.get("/signin-oidc?\(try browser.form(for: redirect))")

        #expect(back.location == "/account")
        #expect(try await browser.get("/account").body == SignInService.user)
    }

    @Test func `a missing consent is requested, and the browser returns to the page`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn(claims: ["preferred_username": .string("megan@contoso.example")])
        let refusal = SignInService.refusal("invalid_grant", suberror: "consent_required", code: 65001)
        browser.site.story.service.append(refusal)

        let redirect = try await browser.get("/mail")
        let back = try await browser.complete(redirect, access: "at-2", scope: "Mail.Read openid profile")

        #expect(redirect.parameter("scope")?.split(separator: " ").contains("Mail.Read") == true)
        #expect(redirect.parameter("login_hint") == "megan@contoso.example")
        #expect(back.location == "/mail")
        #expect(try await browser.get("/mail").body == "mail")
    }

    @Test func `a claims challenge of a page leads to a sign-in with these claims`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()

        let redirect = try await browser.get("/payment")
        let back = try await browser.complete(redirect, claims: ["acrs": .array([.string("c1")])])

        #expect(redirect.parameter("claims")?.contains("c1") == true)
        #expect(back.location == "/payment")
        #expect(try await browser.get("/payment").body == "paid")
    }

    @Test func `a claims challenge of an API leads to a sign-in with its claims and scopes`() async throws {
        let browser = WebBrowser(try WebSite(time: ManualTime()))
        try await browser.signIn()
        let service = browser.site.story.service
        service.append(SignInService.tokens(access: "at-2", scope: "Orders.Read openid profile"))
        let claims = Base64URL.encode(Array(#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#.utf8))
        let challenge = #"Bearer error="insufficient_claims", claims="\#(claims)""#
        service.append(.json("{}", status: 401, headers: ["WWW-Authenticate": challenge], to: "/orders"))

        let redirect = try await browser.get("/orders")
        let back = try await browser.complete(redirect, access: "at-3", scope: "Orders.Read openid profile")
        service.append(.json("[]", to: "/orders"))

        #expect(redirect.parameter("claims")?.contains("c1") == true)
        #expect(redirect.parameter("scope")?.split(separator: " ").contains("Orders.Read") == true)
        #expect(back.location == "/orders")
        #expect(try await browser.get("/orders").body == "0")
        #expect(service.messages.last?.headers["Authorization"] == "Bearer at-3")
    }

    @Test func `an API that rejects a token without a challenge leads to a sign-in with new tokens`() async throws {
        let browser = WebBrowser(try WebSite(time: ManualTime()))
        try await browser.signIn()
        let service = browser.site.story.service
        service.append(SignInService.tokens(access: "at-2", scope: "Orders.Read openid profile"))
        service.append(.json("{}", status: 401, to: "/orders"))

        let redirect = try await browser.get("/orders")

        #expect(redirect.status == .seeOther)
        #expect(try await browser.site.story.tokenKind() == .accountNotFound)
    }

    @Test func `a challenge that no sign-in satisfies ends with a page`() async throws {
        let browser = WebBrowser(try WebSite())
        var answer = try await browser.get("/payment")
        for _ in 0..<5 {
            try await browser.complete(answer)
            answer = try await browser.get("/payment")
        }

        #expect(answer.status == .forbidden && answer.body.contains("Sign-in does not help"))
        browser.site.story.time.advance(by: .seconds(61))
        #expect(try await browser.get("/payment").status == .seeOther)
    }

    @Test func `a user without a role may use another account`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn(claims: ["roles": .array([.string("Reader")])])

        let refused = try await browser.get("/admin")
        let link = try #require(refused.body.firstMatch(of: /href="([^"]+)"/)?.1)
        let redirect = try await browser.get(String(link))
        let back = try await browser.complete(redirect, claims: ["roles": .array([.string("Admin")])])

        #expect(refused.status == .forbidden)
        #expect(redirect.parameter("prompt") == "select_account")
        #expect(back.location == "/admin")
        #expect(try await browser.get("/admin").body == "admin")
    }

    @Test func `a form that cannot follow a redirect gets a page`() async throws {
        let browser = WebBrowser(try WebSite())

        let post = try await browser.post("/notes", "note=1")
        let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
        let script = try await browser.get("/account", headers: [mode: "cors"])

        #expect(post.status == .unauthorized && post.body.contains("Sign in again"))
        #expect(script.status == .unauthorized)
    }

    @Test func `an application can ask before it redirects a signed-in user`() async throws {
        let browser = WebBrowser(try WebSite { $0.confirmsRepeatedSignIn = true })
        try await browser.signIn(claims: ["name": .string("<Megan>")])

        let page = try await browser.get("/payment")
        let link = try #require(page.body.firstMatch(of: /href="([^"]+)"/)?.1)

        #expect(page.status == .ok && page.body.contains("&lt;Megan&gt;"))
        #expect(try await browser.get(String(link)).parameter("claims")?.contains("c1") == true)
    }

    @Test func `an application replaces the pages`() async throws {
        let browser = WebBrowser(try WebSite { $0.page = { "<h1>\($0.kind.rawValue)</h1>" } })

        let page = try await browser.post("/signin-oidc", "code=1&state=2")

        #expect(page.status == .badRequest && page.body == "<h1>beginAgain</h1>")
        #expect(page.headers[.cacheControl] == "no-store")
    }

    // MARK: - End of sessions

    @Test func `a sign-out ends the session, and the back button shows nothing`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        let session = browser["__Host-session"]

        let out = try await browser.post("/signout", try await browser.formField())

        #expect(out.location.hasPrefix("https://login.microsoftonline.com/"))
        #expect(browser["__Host-session"] == nil)
        browser["__Host-session"] = session
        #expect(try await browser.get("/").body == "nobody")
        #expect(try await browser.site.story.tokenKind() == .accountNotFound)
    }

    @Test func `a session ends after its idle lifetime, and a request prolongs it`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()

        for _ in 0..<4 {
            browser.site.story.time.advance(by: .seconds(3000))
            #expect(try await browser.get("/").body == "Megan Bowen")
        }
        browser.site.story.time.advance(by: .seconds(3601))

        #expect(try await browser.get("/").body == "nobody")
    }

    @Test func `a session ends after its absolute lifetime, however often it is used`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()

        for _ in 0..<9 {
            browser.site.story.time.advance(by: .seconds(3000))
            #expect(try await browser.get("/").body == "Megan Bowen")
        }
        browser.site.story.time.advance(by: .seconds(1801))

        #expect(try await browser.get("/").body == "nobody")
    }

    @Test func `a new sign-in replaces the session of the browser`() async throws {
        let browser = WebBrowser(try WebSite())
        try await browser.signIn()
        let earlier = browser["__Host-session"]

        try await browser.signIn()

        let other = WebBrowser(browser.site)
        other["__Host-session"] = earlier
        #expect(browser["__Host-session"] != earlier)
        #expect(try await other.get("/").body == "nobody")
        #expect(try await browser.get("/profile").body == "at-1")
    }

    // MARK: - Several instances

    @Test func `a sign-in that begins on one instance is completed on another one`() async throws {
        let sites = try WebSites().sites
        let browser = WebBrowser(sites[0])

        let redirect = try await browser.get("/account")
        browser.site = sites[1]
        let back = try await browser.complete(redirect)
        browser.site = sites[0]

        #expect(back.location == "/account")
        #expect(try await browser.get("/account").body == SignInService.user)
        #expect(try await browser.get("/profile").body == "at-1")
    }

    @Test func `a challenge of an API is met on another instance`() async throws {
        let sites = try WebSites(skipsSleeps: false)
        let browser = WebBrowser(sites.sites[0])
        try await browser.signIn()
        sites.service.append(SignInService.tokens(access: "at-2", scope: "Orders.Read openid profile"))
        let claims = Base64URL.encode(Array(#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#.utf8))
        let challenge = #"Bearer error="insufficient_claims", claims="\#(claims)""#
        sites.service.append(.json("{}", status: 401, headers: ["WWW-Authenticate": challenge], to: "/orders"))

        let redirect = try await browser.get("/orders")
        browser.site = sites.sites[1]
        _ = try await browser.complete(redirect, access: "at-3", scope: "Orders.Read openid profile")
        browser.site = sites.sites[0]
        sites.service.append(.json("[]", to: "/orders"))

        #expect(try await browser.get("/orders").body == "0")
        #expect(sites.service.messages.last?.headers["Authorization"] == "Bearer at-3")
    }

    @Test func `a sign-out in one browser leaves the user's tokens to the others`() async throws {
        let sites = try WebSites().sites
        let (laptop, phone) = (WebBrowser(sites[0]), WebBrowser(sites[1]))
        try await laptop.signIn()
        try await phone.signIn(claims: ["sid": .string("service-2")])

        _ = try await laptop.post("/signout", try await laptop.formField())

        #expect(try await laptop.get("/").body == "nobody")
        #expect(try await phone.get("/profile").body == "at-1")
        _ = try await phone.post("/signout", try await phone.formField())
        #expect(try await sites[1].story.tokenKind() == .accountNotFound)
    }

    @Test func `a sign-out everywhere ends the user's sessions on every instance`() async throws {
        let sites = try WebSites().sites
        let (laptop, phone) = (WebBrowser(sites[0]), WebBrowser(sites[1]))
        try await laptop.signIn()
        try await phone.signIn()

        _ = try await laptop.post("/signout-everywhere", try await laptop.formField())

        #expect(try await laptop.get("/").body == "nobody")
        #expect(try await phone.get("/").body == "nobody")
    }

    @Test func `a sign-out at the service ends its sessions on every instance, without a cookie`() async throws {
        let sites = try WebSites().sites
        let (laptop, phone, frame) = (WebBrowser(sites[0]), WebBrowser(sites[0]), WebBrowser(sites[1]))
        try await laptop.signIn()
        try await phone.signIn(claims: ["sid": .string("service-2")])

        _ = try await frame.get("/signout-oidc?iss=https://other.example/v2.0&sid=service-1")
        #expect(try await laptop.get("/").body == "Megan Bowen")
        let answer = try await frame.get("/signout-oidc?iss=\(SignInService.issuer)&sid=service-1")

        #expect(answer.status == .ok)
        #expect(try await laptop.get("/").body == "nobody")
        #expect(try await phone.get("/").body == "Megan Bowen")
    }

    @Test func `the content of the store reveals nothing about users and sessions`() async throws {
        let sites = try WebSites()
        let browser = WebBrowser(sites.sites[0])
        try await browser.signIn()
        let session = try #require(browser["__Host-session"])

        let names = Array(sites.store.names)
        let values = try await sites.store.read(names).compactMap { $0?.value }

        #expect(values.count >= 4)
        let texts = names.map { $0.partition.text + $0.text } + values.map { String(decoding: $0, as: UTF8.self) }
        for text in texts { #expect(!text.contains("Megan") && !text.contains(session)) }
    }
}

extension WebAppStory {
    /// The kind of error of a token request for the user; `nil` if there is a token.
    func tokenKind() async throws -> MSALTokenError.Kind? {
        try await tokenFailure { _ = try await silent() }?.kind
    }
}
