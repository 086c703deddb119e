// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Attacks of RFC 9700 and RFC 8252 that no other suite plays. `docs/reference/Attacks.md` lists them all.
struct AttackTests {
    // MARK: Redirects

    @Test(arguments: [
        "http://localhost:5000//evil.example", "http://localhost:5000/..", "http://localhost:5000/%2e%2e",
        "http://localhost:5000?next=https://evil.example", "http://localhost.:5000", "http://localhost%2eevil.example",
        "http://127.0.0.1.evil.example", "http://127.0.0.1@evil.example", "http://[::1]:5000", "http://0.0.0.0:5000",
        "http://127.1:5000", "https://localhost:5000", "ftp://localhost:5000", "http:/localhost:5000",
        "http://localhost:5000 ", "http://localhost:5000\t", "http://localhost:5000\r\nLocation: https://evil.example",
        "http://localhost:0", "http://localhost:65536", "//localhost:5000", "/", "http://localhost\\@evil.example",
        "https://app.contoso.example/spa/", "https://app.contoso.example/spa/../other",
        "https://app.contoso.example/SPA", "https://app.contoso.example/spa?x=y", "https://app.contoso.example:444/spa",
        "https://app.contoso.example.evil.example/spa", "https://user@app.contoso.example/spa",
        "https://evil.example/https://app.contoso.example/spa", "msauth.com.contoso.app://auth.evil",
        "msauth.com.contoso.app://auth/x", "msauth.com.contoso.app:/auth", "msauth.com.contoso.app2://auth",
        "data:text/html,x", "http://l\u{043E}calhost:5000", "http://localhost:5000\u{2044}evil",
    ])
    func `no variant of a registered redirect URI gets a redirect`(uri: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.get(bench.authorizeURL(changing: ["redirect_uri": uri, "prompt": "none"]))

            #expect(response.status == 400)
            #expect(response.location == nil)
            #expect(response.text.contains("AADSTS50011"))
        }
    }

    @Test func `a form from another site is rejected, even with all cookies and tokens`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let page = try await browser.open(bench.authorizeURL(changing: ["prompt": "login"]))
            let flow = try #require(page.part(from: "name=\"flow\" value=\"", to: "\""))
            let token = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
            let form = ["flow": flow, "csrf": token, "action": "next", "login": "megan@contoso.example"]
            let posted = try await browser.post("/\(Bench.tenant)/signin", form: form, from: "cross-site")
            let begun = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/devicecode",
                form: ["client_id": bench.emulator.seed.clientID, "scope": "User.Read"]
            )
            let code = try #require(try begun.json()["user_code"] as? String)
            let device = try await browser.post("/devicelogin", form: ["otc": code], from: "cross-site")

            #expect(posted.status == 400)
            #expect(posted.text.contains("AADSTS165000"))
            #expect(device.heading == "Enter code to allow access")
            for response in [page, posted, device] {
                #expect(response.headers.first(name: "x-frame-options") == "DENY")
            }
        }
    }

    @Test(arguments: [
        ("Enter code", EmulatorDirectory.AccessPolicy.Grant.mfa), ("More information required", .mfa),
        ("Update your password", .passwordChange), ("Terms of use", .termsOfUse), ("Permissions requested", nil),
        ("Pick an account", nil),
    ])
    func `no sign-in form is accepted from another site, or shown in a frame`(
        heading: String,
        grant: EmulatorDirectory.AccessPolicy.Grant?
    ) async throws {
        try await Bench.run {
            if heading == "Enter code" {
                $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
            }
            if let grant { $0.directory.policies.append(.init(name: "All", grant: [grant])) }
        } _: { bench in
            let browser = Browser(bench)
            let person = "megan@contoso.example"
            if heading == "Pick an account" { _ = try await browser.signIn(bench.authorizeURL()) }
            var page = try await browser.open(bench.authorizeURL(changing: ["prompt": "select_account"]))
            if page.heading == "Sign in" { page = try await browser.submit(["login": person, "action": "next"]) }
            if page.heading == "Enter password" {
                page = try await browser.submit(["passwd": bench.emulator.seed.password, "action": "signin"])
            }
            if page.heading == "Stay signed in?" { page = try await browser.submit(["action": "no"]) }
            let answers: [String: [String: String]] = [
                "Enter code": ["otc": bench.emulator.outbox.last?.code ?? "", "action": "verify"],
                "More information required": ["contact": "other@contoso.example", "action": "register"],
                "Update your password": ["newpasswd": "Brand-new-1", "confirmnewpasswd": "Brand-new-1"],
                "Terms of use": ["action": "accept"], "Permissions requested": ["action": "accept"],
                "Pick an account": ["account": person],
            ]
            let answer = try #require(answers[heading])
            var form = answer
            form["flow"] = page.part(from: "name=\"flow\" value=\"", to: "\"")
            form["csrf"] = page.part(from: "name=\"csrf\" value=\"", to: "\"")
            let attack = try await browser.post("/\(Bench.tenant)/signin", form: form, from: "cross-site")
            browser.page = page
            let own = try await browser.submit(answer)

            #expect(page.heading == heading)
            #expect(attack.status == 400)
            #expect(attack.text.contains("AADSTS165000"))
            #expect(own.heading != heading && !own.text.contains("AADSTS165000"))
            for response in [page, attack] {
                #expect(response.headers["x-frame-options"] == ["DENY"])
                let policy = response.headers.first(name: "content-security-policy")
                #expect(policy?.contains("frame-ancestors 'none'") == true)
            }
        }
    }

    @Test func `a hidden frame of another site uses the session, and gets its code in a redirect`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let response = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]), from: "cross-site")

            #expect(response.status == 302)
            #expect(response.parameters["code"] != nil)
        }
    }

    @Test func `a second redirect URI is not mistaken for the first`() async throws {
        try await Bench.run { bench in
            let evil = "&redirect_uri=https%3A%2F%2Fevil.example"
            let response = try await bench.get(bench.authorizeURL(changing: ["prompt": "none"]) + evil)

            #expect(response.status == 400)
            #expect(response.location == nil)
            #expect(response.text.contains("AADSTS9000411"))
        }
    }

    @Test(arguments: ["http://localhost:5001", "http://127.0.0.1:5000", "http://localhost:5000/"])
    func `a code is redeemed only with the redirect URI and port to which it was sent`(other: String) async throws {
        try await Bench.run { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL())
            let code = try #require(response.parameters["code"])

            let refused = try await bench.redeem(code, changing: ["redirect_uri": other])
            let late = try await bench.redeem(code)

            #expect(refused.status == 400)
            #expect(try late.errorCode() == 54_005)
        }
    }

    @Test(arguments: ["query", "fragment", "form_post"])
    func `no token is ever in the query of a redirect`(mode: String) async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["response_type": "code id_token", "response_mode": mode])
            let response = try await Browser(bench).signIn(address)

            #expect(response.location?.split(separator: "#").first?.contains("id_token=") != true)
            #expect((response.parameters["id_token"] != nil) == (mode == "fragment"))
            #expect(response.text.contains("name=\"id_token\"") == (mode == "form_post"))
        }
    }

    // MARK: Tokens

    @Test(arguments: ["/v1.0/me", "/oidc/userinfo", "/api/todos"])
    func `an access token is accepted only in its header`(path: String) async throws {
        try await Bench.run { bench in
            let tokens = try await bench.tokens(
                path == "/api/todos"
                    ? ["scope": "api://00000000-0000-4000-8000-0000000000a1/ToDoList.ReadWrite openid"] : [:]
            )
            let token = try #require(tokens["access_token"] as? String)

            let query = try await bench.get("\(path)?access_token=\(token)")
            let form = try await bench.send(.POST, to: path, form: ["access_token": token])
            let cookie = try await bench.send(.GET, to: path, headers: ["cookie": "access_token=\(token)"])
            let header = try await bench.get(path, token: token)

            #expect(query.status == 401)
            #expect(form.status >= 401)
            #expect(cookie.status == 401)
            #expect(header.status == 200)
        }
    }

    @Test func `a refresh token is not an access token, nor an access token a refresh token`() async throws {
        try await Bench.run { bench in
            let tokens = try await bench.tokens()
            let access = try #require(tokens["access_token"] as? String)
            let refresh = try #require(tokens["refresh_token"] as? String)
            let identity = try #require(tokens["id_token"] as? String)

            let me = try await bench.get("/v1.0/me", token: refresh)
            let named = try await bench.get("/v1.0/me", token: identity)
            let refreshed = try await bench.refresh(access)

            #expect(me.status == 401)
            #expect(named.status == 401)
            #expect(refreshed.status == 400)
        }
    }

    @Test func `a refresh token without its suffix, or with one letter changed, is unknown`() async throws {
        try await Bench.run { bench in
            let token = try #require(try await bench.tokens()["refresh_token"] as? String)
            let last = token.last == "A" ? "B" : "A"

            for other in [String(token.dropLast()), token.dropLast() + last, token + "A", token.lowercased()] {
                let response = try await bench.refresh(other)
                #expect(response.status == 400)
            }
            let own = try await bench.refresh(token)
            #expect(own.status == 200)
        }
    }

    @Test func `codes and tokens cannot be guessed`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            var codes: Set<String> = []
            for _ in 1...3 {
                let response = try await browser.signIn(bench.authorizeURL())
                codes.insert(try #require(response.parameters["code"]))
            }
            let refresh = try #require(try await bench.tokens()["refresh_token"] as? String)

            #expect(codes.count == 3)
            // RFC 6749 §10.10 wants 128 bits at least, and 160 if it can be had: 27 letters of base64url.
            #expect(codes.allSatisfy { $0.count >= 27 } && refresh.count >= 27)
        }
    }

    // MARK: Pages

    @Test func `no page can be framed, leaks its address, or runs third-party scripts`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let browser = Browser(bench)
            var pages = [try await browser.open(bench.authorizeURL())]
            pages.append(try await browser.submit(["login": "megan@contoso.example", "action": "next"]))
            pages.append(try await browser.submit(["passwd": "Pa55-word!", "action": "signin"]))
            for path in ["/", "/error?code=50011", "/devicelogin", "/\(Bench.tenant)/oauth2/v2.0/logout"] {
                pages.append(try await bench.get(path))
            }
            pages.append(try await bench.get(bench.authorizeURL(changing: ["client_id": "nobody"])))
            pages.append(try await bench.get("https://localhost:\(try #require(bench.emulator.controlPort))/"))

            for page in pages {
                let policy = page.headers.first(name: "content-security-policy") ?? ""
                #expect(page.headers["content-type"].first?.hasPrefix("text/html") == true)
                #expect(page.headers["x-frame-options"] == ["DENY"])
                #expect(page.headers["referrer-policy"] == ["no-referrer"])
                #expect(page.headers["x-content-type-options"] == ["nosniff"])
                #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(page.headers["cache-control"] == ["no-store"])
            }
        }
    }

    @Test func `headers of a proxy change nothing`() async throws {
        try await Bench.run { bench in
            let path = "/\(Bench.tenant)/v2.0/.well-known/openid-configuration"
            let plain = try await bench.get(path)
            let forwarded = try await bench.send(
                .GET,
                to: path,
                headers: [
                    "x-forwarded-host": "evil.example", "forwarded": "host=evil.example;proto=http",
                    "x-forwarded-proto": "http", "x-original-url": "/evil", "x-http-method-override": "POST",
                ]
            )

            #expect(forwarded.text == plain.text)
            #expect(forwarded.status == 200)
        }
    }

    @Test func `a session cookie that another browser invented signs no user in`() async throws {
        try await Bench.run { bench in
            let address = bench.authorizeURL(changing: ["prompt": "none"])
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let own = try await browser.open(address)
            for (name, value) in browser.cookies {
                for forged in ["", "x", String(value.dropLast()), value + "x", value.lowercased(), "\"\(value)"] {
                    let response = try await bench.send(.GET, to: address, headers: ["cookie": "\(name)=\(forged)"])
                    #expect(response.parameters["error"] == "login_required")
                }
            }

            #expect(own.parameters["code"] != nil)
        }
    }
}
