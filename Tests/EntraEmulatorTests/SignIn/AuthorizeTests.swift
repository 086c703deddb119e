// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct AuthorizeTests {
    @Test(arguments: [
        "http://localhost:5000/other", "http://localhost:5000@evil.example", "https://evil.example",
        "http://evil.example", "http://LOCALHOST.evil.example", "javascript:alert(1)", "http://localhost#x",
    ])
    func `a redirect URI that is not registered gets a page and no redirect`(uri: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.get(bench.authorizeURL(changing: ["redirect_uri": uri]))

            #expect(response.status == 400)
            #expect(response.location == nil)
            #expect(response.text.contains(uri == "http://evil.example" ? "AADSTS500117" : "AADSTS50011"))
            #expect(response.text.contains("Correlation ID"))
        }
    }

    @Test func `an unknown client or tenant gets a page`() async throws {
        try await Bench.run { bench in
            let client = try await bench.get(bench.authorizeURL(changing: ["client_id": "<script>"]))
            let tenant = try await bench.get(bench.authorizeURL(tenant: "nobody"))

            #expect(client.status == 400)
            #expect(client.text.contains("AADSTS700016"))
            #expect(client.text.contains("&lt;script&gt;"))
            #expect(!client.text.contains("<script>"))
            #expect(tenant.status == 400)
            #expect(tenant.text.contains("AADSTS90002"))
        }
    }

    @Test(
        arguments: [
            (["response_type": "token"], "unsupported_response_type", "AADSTS700051"),
            (["response_mode": "odd"], "invalid_request", "AADSTS90023"),
            (["code_challenge_method": "odd"], "invalid_request", "AADSTS90023"),
            (["code_challenge": "short", "code_challenge_method": "plain"], "invalid_request", "AADSTS501491"),
            (["code_challenge": "short"], "invalid_request", "AADSTS501491"),
            (["scope": "No.Such"], "invalid_client", "AADSTS650053"),
            (["scope": "api://nobody/x"], "invalid_resource", "AADSTS500011"),
            (["scope": "https://graph.microsoft.com/.default Mail.Read"], "invalid_scope", "AADSTS70011"),
            (["scope": "00000000-0000-4000-8000-000000000010/.default"], "invalid_resource", "AADSTS500011"),
            (["prompt": "odd"], "invalid_request", "AADSTS90023"),
            (["max_age": "-1"], "invalid_request", "AADSTS90023"),
            (["max_age": "soon"], "invalid_request", "AADSTS90023"),
            (["prompt": "none"], "login_required", "AADSTS50058"),
        ] as [([String: String?], String, String)]
    )
    func `errors after the redirect check are returned to the application`(
        changes: [String: String?],
        error: String,
        number: String
    ) async throws {
        try await Bench.run { bench in
            let response = try await bench.get(bench.authorizeURL(changing: changes))

            #expect(response.status == 302)
            let mark = changes["response_type"] == "token" ? "#" : "?"
            #expect(response.location?.hasPrefix("http://localhost:5000/\(mark)") == true)
            #expect(response.parameters["error"] == error)
            #expect(response.parameters["error_description"]?.hasPrefix(number + ":") == true)
            #expect(response.parameters["state"] == "s&t<")
        }
    }

    @Test func `an ID token needs the scope openid`() async throws {
        try await Bench.run { bench in
            let response = try await bench.get(
                bench.authorizeURL(changing: ["response_type": "id_token", "scope": "User.Read"])
            )

            #expect(response.location?.hasPrefix("http://localhost:5000/#") == true)
            #expect(response.parameters["error"] == "unsupported_response_type")
            #expect(response.parameters["error_description"]?.hasPrefix("AADSTS70005:") == true)
        }
    }

    @Test func `an unknown name and a wrong password are reported on the page`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL())
            let unknown = try await browser.submit(["login": "\"><b>", "action": "next"])
            try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            let wrong = try await browser.submit(["passwd": "no", "action": "signin"])

            #expect(unknown.text.contains("AADSTS50034"))
            #expect(unknown.text.contains("&quot;&gt;&lt;b&gt;"))
            #expect(wrong.heading == "Enter password")
            #expect(wrong.text.contains("AADSTS50126"))
            #expect(wrong.text.contains("role=\"alert\""))
        }
    }

    @Test func `canceling responds with access_denied`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL())
            let response = try await browser.submit(["action": "cancel"])

            #expect(response.status == 303)
            #expect(response.parameters["error"] == "access_denied")
            #expect(response.parameters["error_description"]?.contains("AADSTS65004") == true)
            #expect(response.parameters["state"] == "s&t<")
        }
    }

    @Test func `consent is asked once, and prompt none fails until it is given`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let again = try await browser.open(bench.authorizeURL())
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none", "scope": "Mail.Read"]))
            let asked = try await browser.open(bench.authorizeURL(changing: ["scope": "Mail.Read"]))
            let declined = try await browser.submit(["action": "cancel"])

            #expect(again.parameters["code"] != nil)
            #expect(silent.parameters["error"] == "consent_required")
            #expect(asked.heading == "Permissions requested")
            #expect(asked.text.contains("Mail.Read"))
            #expect(declined.parameters["error"] == "access_denied")
        }
    }

    @Test func `default means what was given before, or else everything`() async throws {
        try await Bench.run { bench in
            let everything = "https://graph.microsoft.com/.default"
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let again = try await browser.open(bench.authorizeURL(changing: ["scope": everything]))
            let given = try await bench.redeem(try #require(again.parameters["code"]), changing: ["scope": everything])
                .json()
            let asked = try await Browser(bench).signIn(
                bench.authorizeURL(changing: ["scope": "\(everything) openid"]),
                as: "alex@contoso.example"
            )
            let all = try await bench.redeem(try #require(asked.parameters["code"])).json()
            let mixed = try await browser.open(bench.authorizeURL(changing: ["scope": "\(everything) User.Read"]))

            #expect(given["scope"] as? String == "https://graph.microsoft.com/User.Read")
            #expect((all["scope"] as? String)?.contains("Mail.Send") == true)
            #expect(mixed.parameters["error"] == "invalid_scope")
            #expect(mixed.parameters["error_description"]?.hasPrefix("AADSTS70011:") == true)
        }
    }

    @Test func `default means the consent of the user who signs in, not of the previous user`() async throws {
        try await Bench.run { bench in
            _ = try await Browser(bench).signIn(bench.authorizeURL(changing: ["scope": "User.Read"]))
            _ = try await Browser(bench)
                .signIn(bench.authorizeURL(changing: ["scope": "Mail.Read openid"]), as: "alex@contoso.example")
            let browser = Browser(bench)
            // The missing openid brings up the consent page, which is where Megan makes room for Alex.
            try await browser.open(
                bench.authorizeURL(changing: ["scope": "https://graph.microsoft.com/.default openid"])
            )
            try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let asked = try await browser.submit(["action": "no"])
            try await browser.submit(["action": "other"])
            try await browser.submit(["login": "alex@contoso.example", "action": "next"])
            try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let response = try await browser.submit(["action": "no"])

            #expect(asked.heading == "Permissions requested")
            let token = try await bench.redeem(try #require(response.parameters["code"])).json()
            #expect((token["scope"] as? String)?.contains("Mail.Read") == true)
            #expect((token["scope"] as? String)?.contains("User.Read") == false)
        }
    }

    @Test func `default may be written twice`() async throws {
        try await Bench.run { bench in
            let scope = "https://graph.microsoft.com/.default https://graph.microsoft.com/.Default"
            let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["scope": scope]))

            #expect(response.parameters["code"] != nil)
        }
    }

    @Test func `a sign-in that is too old does not count`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            await bench.emulator.advanceClock(by: .seconds(600))
            let young = try await browser.open(bench.authorizeURL(changing: ["max_age": "900"]))
            let silent = try await browser.open(bench.authorizeURL(changing: ["max_age": "300", "prompt": "none"]))
            let asked = try await browser.open(bench.authorizeURL(changing: ["max_age": "300"]))

            #expect(young.parameters["code"] != nil)
            #expect(silent.parameters["error"] == "login_required")
            #expect(asked.heading == "Enter password")
        }
    }

    @Test func `permissions for administrators block other users`() async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(
                bench.authorizeURL(changing: ["scope": "Directory.Read.All"])
            )
            let admin = try await Browser(bench)
                .signIn(bench.authorizeURL(changing: ["scope": "Directory.Read.All"]), as: "alex@contoso.example")

            #expect(response.text.contains("AADSTS90094"))
            #expect(admin.parameters["code"] != nil)
        }
    }

    @Test func `two sessions lead to the picker, and a hint skips it`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            _ = try await browser.signIn(
                bench.authorizeURL(changing: ["prompt": "login"]),
                as: "alex@contoso.example",
                stay: "yes"
            )
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))
            let hinted = try await browser.open(bench.authorizeURL(changing: ["login_hint": "alex@contoso.example"]))
            let picker = try await browser.open(bench.authorizeURL())
            let picked = try await browser.submit(["account": "megan@contoso.example"])

            #expect(silent.parameters["error"] == "interaction_required")
            #expect(hinted.parameters["code"] != nil)
            #expect(picker.heading == "Pick an account")
            #expect(picker.text.contains("alex@contoso.example"))
            #expect(picked.parameters["code"] != nil)
        }
    }

    @Test func `users can sign in only to their tenants`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL())
            try await browser.submit(["login": "dana@personal.example", "action": "next"])
            let refused = try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let guest = try await Browser(bench).signIn(bench.authorizeURL(), as: "guest@fabrikam.example")
            let token = try await bench.redeem(try #require(guest.parameters["code"])).json()

            #expect(refused.text.contains("AADSTS50020"))
            #expect(try Bench.claims(token["id_token"])["tid"] as? String == Bench.tenant)
        }
    }

    @Test func `a form without its token, or from another browser, is refused`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let page = try await browser.open(bench.authorizeURL())
            let forged = try await browser.submit(["csrf": "x", "action": "cancel"])
            let flow = try #require(page.part(from: "name=\"flow\" value=\"", to: "\""))
            let csrf = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
            let foreign = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/signin",
                form: ["flow": flow, "csrf": csrf, "action": "cancel"]
            )

            #expect(forged.status == 400)
            #expect(forged.text.contains("AADSTS165000"))
            #expect(foreign.status == 400)
            #expect(foreign.location == nil)
        }
    }

    @Test func `form_post responds with a form that posts itself, fragment with a fragment`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let fragment = try await browser.signIn(bench.authorizeURL(changing: ["response_mode": "fragment"]))
            let page = try await browser.open(bench.authorizeURL(changing: ["response_mode": "form_post"]))
            let policy = page.headers.first(name: "content-security-policy") ?? ""

            #expect(fragment.location?.hasPrefix("http://localhost:5000/#") == true)
            #expect(page.status == 200)
            #expect(page.part(from: "action=\"", to: "\"") == "http://localhost:5000")
            #expect(page.part(from: "name=\"state\" value=\"", to: "\"") == "s&amp;t&lt;")
            #expect(page.text.contains("<button"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("form-action"))
            #expect(policy.contains("script-src 'nonce-"))
        }
    }

    @Test(arguments: [true, false])
    func `cookies belong to the host, pages are not stored`(inFrames: Bool) async throws {
        try await Bench.run({ $0.directory.allowsThirdPartyCookies = inFrames }) { bench in
            let response = try await bench.get(bench.authorizeURL())
            let cookie = try #require(response.headers.first(name: "set-cookie"))

            #expect(cookie.hasPrefix("__Host-"))
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=\(inFrames ? "None" : "Lax")"] {
                #expect(cookie.contains(attribute))
            }
            #expect(response.headers.first(name: "cache-control") == "no-store")
        }
    }

    @Test func `customers may create an account where the tenant allows it`() async throws {
        try await Bench.run { bench in
            let refused = try await bench.get(bench.authorizeURL(changing: ["prompt": "create"]))
            let browser = Browser(bench)
            try await browser.open(bench.authorizeURL(tenant: "fabrikam", changing: ["prompt": "create"]))
            try await browser.submit(
                ["login": "new@customer.example", "name": "New", "passwd": "long enough", "action": "next"])
            // An administrator has consented for the customers, so there is no page for that.
            let response = try await browser.submit(["action": "no"])

            #expect(refused.parameters["error"] == "invalid_request")
            #expect(response.parameters["code"] != nil)
        }
    }

    @Test func `an ID token that comes by a page has the issuer of the endpoint that was asked`() async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["response_type": "code id_token", "response_mode": "fragment"])
            let response = try await Browser(bench).signIn(address)
            let claims = try Bench.claims(response.parameters["id_token"])

            #expect(claims["ver"] as? String == "2.0")
            #expect((claims["iss"] as? String)?.hasSuffix("/\(Bench.tenant)/v2.0") == true)
        }
    }

    @Test func `signing out ends the session and goes back where it may`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let path = "/\(Bench.tenant)/oauth2/v2.0/logout?"
            let back = try await browser.open(
                path + Bench.encode(["post_logout_redirect_uri": Bench.redirect, "state": "x"])
            )
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))
            let page = try await browser.open(path + "post_logout_redirect_uri=https%3A%2F%2Fevil.example")

            #expect(back.location == "http://localhost:5000/?state=x")
            #expect(silent.parameters["error"] == "login_required")
            #expect(page.location == nil)
            #expect(page.heading == "You signed out")
        }
    }

    @Test(arguments: ["plain", nil])
    func `a plain challenge is the verifier`(method: String?) async throws {
        try await Bench.run { bench in
            let verifier = String(repeating: "v", count: 43)
            let changes = ["code_challenge": verifier, "code_challenge_method": method]
            let code = try await Browser(bench).signIn(bench.authorizeURL(changing: changes)).parameters["code"]
            let digest = Bench.challenge(verifier)
            let other = try await Browser(bench).signIn(bench.authorizeURL(changing: changes)).parameters["code"]

            let redeemed = try await bench.redeem(try #require(code), changing: ["code_verifier": verifier])
            let guessed = try await bench.redeem(try #require(other), changing: ["code_verifier": digest])

            #expect(redeemed.status == 200)
            #expect(try guessed.errorCode() == 501_481)
        }
    }

    @Test func `only a single-page app needs a challenge`() async throws {
        try await Bench.run { bench in
            let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            let native = try await Browser(bench).signIn(bench.authorizeURL(changing: none))
            let redeemed = try await bench.redeem(
                try #require(native.parameters["code"]),
                changing: ["code_verifier": nil]
            )
            let page = ["redirect_uri": "https://app.contoso.example/spa"] as [String: String?]
            let refused = try await bench.get(bench.authorizeURL(changing: none.merging(page) { _, new in new }))

            #expect(redeemed.status == 200)
            #expect(refused.parameters["error_description"]?.hasPrefix("AADSTS9002325:") == true)
        }
    }

    @Test func `an error is posted if the request has that response mode`() async throws {
        try await Bench.run { bench in
            let changes: [String: String?] = ["response_mode": "form_post", "response_type": "odd"]
            let response = try await bench.get(bench.authorizeURL(changing: changes))

            #expect(response.status == 200)
            #expect(response.text.contains("action=\"http://localhost:5000\""))
            #expect(response.text.contains("AADSTS70005"))
        }
    }

    @Test func `an ID token request without a redirect URI uses a registered one`() async throws {
        try await Bench.run { bench in
            let changes: [String: String?] = ["response_type": "id_token", "redirect_uri": nil, "prompt": "none"]
            let response = try await bench.get(bench.authorizeURL(changing: changes))
            let code = try await bench.get(bench.authorizeURL(changing: ["redirect_uri": nil]))

            #expect(response.location?.hasPrefix("http://localhost/#error=login_required") == true)
            #expect(code.status == 400)
            #expect(code.text.contains("AADSTS900144"))
        }
    }

    @Test func `scopes of several APIs are consented to at once, and redeemed for one of them`() async throws {
        try await Bench.run { bench in
            let toDos = bench.emulator.seed.toDoReadScope
            let address = bench.authorizeURL(changing: ["scope": "User.Read \(toDos) openid offline_access"])
            let browser = Browser(bench)
            try await browser.open(address)
            try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            try await browser.submit(["passwd": "Pa55-word!", "action": "signin"])
            let asked = try await browser.submit(["action": "no"])
            let accepted = try await browser.submit(["action": "accept"])
            let again = try await browser.open(address)
            let first = try await bench.redeem(try #require(accepted.parameters["code"])).json()
            let second = try await bench.redeem(try #require(again.parameters["code"]), changing: ["scope": toDos])
                .json()
            let both = try await browser.open(address)
            let refused = try await bench.redeem(
                try #require(both.parameters["code"]),
                changing: ["scope": "User.Read \(toDos)"]
            )
            let refreshed = try await bench.refresh(
                try #require(first["refresh_token"] as? String),
                scope: "\(toDos) User.Read"
            )

            #expect(asked.text.contains("User.Read") && asked.text.contains("ToDoList.Read"))
            #expect(first["scope"] as? String == "User.Read openid")
            #expect(second["scope"] as? String == toDos)
            #expect(try refused.errorCode() == 28_000)
            #expect(try refreshed.json()["scope"] as? String == toDos)
        }
    }
}
