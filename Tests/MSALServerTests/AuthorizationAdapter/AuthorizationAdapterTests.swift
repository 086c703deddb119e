// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import TestSupport
import Testing

/// Sign-ins of MCP clients through the adapter.
struct AuthorizationAdapterTests {
    @Test func `the metadata describe the adapter and not Entra`() async throws {
        let bench = try AdapterBench { $0.allowsRegistration = true }
        try await bench.run { browser in
            let metadata = try await browser.get("/.well-known/oauth-authorization-server")
            #expect(metadata.status == 200)
            let expected: [String: JSONValue] = [
                "issuer": .string(AdapterBench.issuer),
                "authorization_endpoint": .string("\(AdapterBench.issuer)/oauth/authorize"),
                "token_endpoint": .string("\(AdapterBench.issuer)/oauth/token"),
                "registration_endpoint": .string("\(AdapterBench.issuer)/oauth/register"),
                "response_types_supported": .array([.string("code")]),
                "response_modes_supported": .array([.string("query")]),
                "grant_types_supported": .array([.string("authorization_code"), .string("refresh_token")]),
                "code_challenge_methods_supported": .array([.string("S256")]),
                "token_endpoint_auth_methods_supported": .array([.string("none")]),
                "scopes_supported": .array(
                    ["api://tools/Notes.Read", "api://tools/Notes.Write", "offline_access"].map(JSONValue.string)
                ),
                "client_id_metadata_document_supported": .bool(true),
                "authorization_response_iss_parameter_supported": .bool(true),
            ]
            #expect(metadata.json == expected)

            let resource = try await browser.get("/.well-known/oauth-protected-resource/mcp")
            #expect(resource.json["authorization_servers"] == .array([.string(AdapterBench.issuer)]))
            #expect(resource.json["resource"] == .string(AdapterBench.address))
            #expect(!resource.body.contains("offline_access"))
            #expect(try await browser.get("/.well-known/openid-configuration").status == 404)
        }
    }

    @Test func `a user signs in, and the client refreshes without scopes`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let scope = "\(AdapterBench.scope) offline_access openid profile email"
            let forward = try await browser.consent([
                "scope": scope, "prompt": "consent", "login_hint": "megan@contoso.example", "claims": "{}", "x": "y",
            ])
            let sent = try #require(forward.target)
            #expect(
                Set(sent.keys) == [
                    "client_id", "response_type", "redirect_uri", "response_mode", "scope", "state", "code_challenge",
                    "code_challenge_method", "login_hint",
                ]
            )
            #expect(forward.address?.hasPrefix("https://login.microsoftonline.com/\(AdapterBench.tenant)/") == true)
            #expect(sent["client_id"] == AdapterBench.clientID)
            #expect(sent["redirect_uri"] == "\(AdapterBench.issuer)/oauth/callback")
            #expect(sent["scope"] == "\(AdapterBench.scope) offline_access")
            #expect(sent["code_challenge"] != AdapterBench.request()["code_challenge"])

            let returned = try await browser.get(
                "/oauth/callback",
                ["code": "entra-code", "state": sent["state"] ?? ""]
            )
            #expect(returned.status == 303)
            #expect(returned.address?.hasPrefix("\(AdapterBench.redirect)?") == true)
            #expect(returned.target?["state"] == "s1")
            #expect(returned.target?["iss"] == AdapterBench.issuer)
            let code = try #require(returned.target?["code"])
            #expect(code != "entra-code")

            let lines = [
                "Origin: https://client.example", "Cookie: a=b", "Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4",
            ]
            let tokens = try await browser.post("/oauth/token", AdapterBench.redemption(code), lines: lines)
            #expect(tokens.status == 200)
            #expect(tokens.values("Cache-Control") == ["no-store"])
            #expect(tokens.json["access_token"] == .string("entra.access.token"))
            #expect(tokens.json["id_token"] == nil)
            #expect(bench.service.form["code"] == "entra-code")
            #expect(bench.service.form["scope"] == "\(AdapterBench.scope) offline_access")
            #expect(bench.service.form["client_id"] == AdapterBench.clientID)
            #expect(bench.service.form["client_secret"] == "a secret")
            #expect(bench.service.form["resource"] == nil)
            let verifier = Secret(bench.service.form["code_verifier"] ?? "")
            #expect(PKCE(verifier: verifier).challenge == sent["code_challenge"])
            let names = Set(bench.service.messages.flatMap { $0.headers.keys.map { $0.lowercased() } })
            #expect(names.isDisjoint(with: ["origin", "cookie", "forwarded", "x-forwarded-for"]))

            let token = try #require(tokens.json["refresh_token"]?.string)
            #expect(!token.contains("entra"))
            let refresh = [
                "grant_type": "refresh_token", "refresh_token": token, "client_id": AdapterBench.client,
                "resource": AdapterBench.address,
            ]
            let refreshed = try await browser.post("/oauth/token", refresh)
            #expect(refreshed.status == 200)
            #expect(bench.service.form["refresh_token"] == "entra-refresh-token")
            #expect(bench.service.form["scope"] == "\(AdapterBench.scope) offline_access")
            #expect(bench.service.form["resource"] == nil)
        }
    }

    @Test func `the consent page describes the client, and cannot be framed or scripted`() async throws {
        let bench = try AdapterBench()
        bench.documents.put(DocumentShelf.document(["client_name": .string("<b>\"x'&\u{202E}\u{301}")]))
        try await bench.run { browser in
            let page = try await browser.get("/oauth/authorize", AdapterBench.request())

            #expect(page.status == 200)
            // Bytes, because the accent after the name belongs to the character before it.
            let name = Data("<strong>&lt;b&gt;&quot;x&#39;&amp;&lt;U+202E&gt;".utf8)
            #expect(Data(page.body.utf8).range(of: name) != nil)
            #expect(page.body.contains("<strong>client.example</strong>"))
            #expect(page.body.contains("<li>\(AdapterBench.scope)</li>"))
            #expect(page.body.contains("<strong>Notes</strong>"))
            #expect(
                !page.body.contains("unverified") && !page.body.contains("Warning") && !page.body.contains("<script")
            )
            let policy = page.values("Content-Security-Policy").first ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(page.values("Cache-Control") == ["no-store"])
            let cookie = try #require(page.values("Set-Cookie").first)
            #expect(cookie.hasPrefix("__Host-mcp-form="))
            for property in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] { #expect(cookie.contains(property)) }
        }
    }

    @Test func `an approval is remembered for this client, redirect URI, and these scopes only`() async throws {
        let bench = try AdapterBench { $0.redirectUris.append(AdapterBench.redirect + "2") }
        let both = JSONValue.array([.string(AdapterBench.redirect), .string(AdapterBench.redirect + "2")])
        bench.documents.put(DocumentShelf.document(["redirect_uris": both]))
        try await bench.run { browser in
            var browser = browser
            _ = try await browser.consent()
            #expect(try await browser.get("/oauth/authorize", AdapterBench.request()).status == 303)

            let others: [[String: String?]] = [
                ["scope": "api://tools/Notes.Write"], ["redirect_uri": AdapterBench.redirect + "2"],
            ]
            for other in others {
                #expect(try await browser.get("/oauth/authorize", AdapterBench.request(other)).status == 200)
            }
            var forger = browser
            let name = try #require(browser.cookies.keys.first { $0.hasPrefix("__Host-mcp-approval-") })
            for value in ["1", "9999999999", browser.cookies["__Host-mcp-form"] ?? ""] {
                forger.cookies[name] = value
                #expect(try await forger.get("/oauth/authorize", AdapterBench.request()).status == 200)
            }
            bench.time.advance(by: .seconds(31 * 86_400))
            #expect(try await browser.get("/oauth/authorize", AdapterBench.request()).status == 200)
        }
    }

    @Test func `a loopback redirect gets a warning, any port, and is never remembered`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let redirect = ["redirect_uri": "http://localhost:50123/callback" as String?]
            let page = try await browser.get("/oauth/authorize", AdapterBench.request(redirect))
            #expect(page.body.contains("Warning"))

            _ = try await browser.consent(redirect)

            #expect(try await browser.get("/oauth/authorize", AdapterBench.request(redirect)).status == 200)
            #expect(!browser.cookies.keys.contains { $0.contains("approval") })
        }
    }

    @Test func `a user who does not agree sends the client an error`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let denied = try await browser.consent(action: "cancel")

            let expected: [String: String]? = [
                "error": "access_denied", "error_description": "The user did not agree.", "state": "s1",
                "iss": AdapterBench.issuer,
            ]
            #expect(denied.target == expected)
            #expect(!browser.cookies.keys.contains { $0.contains("flow") || $0.contains("approval") })
            let silent = try await browser.get("/oauth/authorize", AdapterBench.request(["prompt": "none"]))
            #expect(silent.target?["error"] == "consent_required")
        }
    }

    @Test func `a client whose document names the grant gets a refresh token`() async throws {
        let bench = try AdapterBench()
        bench.documents.put(DocumentShelf.document(["grant_types": .array([.string("refresh_token")])]))
        try await bench.run { browser in
            var browser = browser
            let sent = try await browser.consent().target
            #expect(sent?["scope"] == "\(AdapterBench.scope) offline_access")
        }
    }

    @Test func `an error of the service reaches the client`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            for (error, expected) in [("access_denied", "access_denied"), ("invalid_client", "server_error")] {
                browser.cookies = [:]
                let state = try #require(try await browser.consent().target?["state"])
                let answer = try await browser.get("/oauth/callback", ["error": error, "state": state])
                #expect(answer.target?["error"] == expected)
                #expect(answer.target?["iss"] == AdapterBench.issuer)
            }
        }
    }

    @Test func `instances with one key complete each other's sign-ins`() async throws {
        let (first, second) = (try AdapterBench(), try AdapterBench())
        let stranger = try AdapterBench(key: [UInt8](2...33))
        try await first.run { one in
            try await second.run { two in
                try await stranger.run { other in
                    var one = one
                    let target = try #require(try await one.consent().target)
                    let parameters = ["code": "entra-code", "state": target["state"] ?? ""]
                    var elsewhere = AdapterBrowser(client: other.client)
                    elsewhere.cookies = one.cookies
                    #expect(try await elsewhere.get("/oauth/callback", parameters).status == 400)
                    elsewhere = AdapterBrowser(client: two.client, cookies: one.cookies)
                    let code = try #require(try await elsewhere.get("/oauth/callback", parameters).target?["code"])
                    #expect(try await one.post("/oauth/token", AdapterBench.redemption(code)).status == 200)
                    #expect(try await other.post("/oauth/token", AdapterBench.redemption(code)).status == 400)
                }
            }
        }
    }

    @Test(arguments: [-301, -300, -1, 1, 300, 301])
    func `the clocks of instances may differ by five minutes`(seconds: Int) async throws {
        let (first, second) = (try AdapterBench(), try AdapterBench())
        second.time.advance(by: .seconds(seconds))
        try await first.run { one in
            try await second.run { two in
                var one = one
                let state = try #require(try await one.consent().target?["state"])
                let two = AdapterBrowser(client: two.client, cookies: one.cookies)
                let sent = try await two.get("/oauth/callback", ["code": "entra-code", "state": state])
                let code = sent.target?["code"] ?? ""
                let redeemed = try await one.post("/oauth/token", AdapterBench.redemption(code))

                #expect((sent.status == 303) == (seconds >= -300))
                #expect((redeemed.status == 200) == (abs(seconds) <= 300))
            }
        }
    }

    @Test func `pages of other sites may use the endpoints for programs`() async throws {
        let bench = try AdapterBench { $0.allowsRegistration = true }
        try await bench.run { browser in
            let paths = [
                "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp", "/oauth/token",
                "/oauth/register",
            ]
            for path in paths {
                let preflight = try await browser.client.send(
                    "OPTIONS",
                    path,
                    lines: ["Origin: https://client.example"]
                )
                #expect(preflight.status == 204)
                #expect(preflight.values("Access-Control-Allow-Origin") == ["*"])
                #expect(preflight.values("Access-Control-Allow-Credentials").isEmpty)
                #expect(
                    preflight.values("Access-Control-Allow-Headers")
                        == ["authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"]
                )
            }
            let refused = try await browser.post("/oauth/token", [:])
            #expect(refused.values("Access-Control-Allow-Origin") == ["*"])
            #expect(refused.values("Access-Control-Expose-Headers") == ["WWW-Authenticate"])
            #expect(try await browser.client.send("OPTIONS", "/oauth/authorize", lines: []).status >= 400)
        }
    }

    @Test func `a client registers itself without anything being stored`() async throws {
        let (bench, other) = (
            try AdapterBench { $0.allowsRegistration = true }, try AdapterBench { $0.allowsRegistration = true }
        )
        let body = JSONValue.object([
            "client_name": .string("Registered"), "token_endpoint_auth_method": .string("client_secret_post"),
            "redirect_uris": .array([.string("http://localhost:3000/callback")]),
        ]).text
        try await bench.run { browser in
            let answer = try await browser.post("/oauth/register", text: body, type: "application/json")
            #expect(answer.status == 201)
            #expect(answer.json["token_endpoint_auth_method"] == .string("none"))
            let id = try #require(answer.json["client_id"]?.string)
            let request = AdapterBench.request(["client_id": id, "redirect_uri": "http://localhost:4000/callback"])

            let page = try await browser.get("/oauth/authorize", request)
            #expect(page.body.contains("Registered") && page.body.contains("unverified"))
            try await other.run { elsewhere in
                let page = try await elsewhere.get("/oauth/authorize", request)
                #expect(page.status == 200)
            }
        }
    }

    @Test func `an adapter starts only with https or loopback addresses, and a key`() throws {
        let plain = try AdapterBench(address: "http://127.0.0.1:8080/mcp", key: [])
        #expect(plain.adapter.issuer == "http://127.0.0.1:8080")
        #expect(plain.adapter.redirectUri == "http://127.0.0.1:8080/oauth/callback")
        #expect(plain.adapter.resource.authorizationServers.map(\.absoluteString) == ["http://127.0.0.1:8080"])
        for address in ["http://169.254.1.1/mcp"] {
            #expect(throws: MSALTokenError.self) { try AdapterBench(address: address) }
        }
        #expect(throws: MSALTokenError.self) { try AdapterBench(key: []) }
        for uri in [
            "javascript:alert(1)", "http://client.example/", "https://client.example/#a", "https://*.example/", "x", "",
        ] {
            #expect(throws: MSALTokenError.self) { try AdapterBench { $0.redirectUris = [uri] } }
        }
    }

    @Test func `on loopback without TLS, cookies have no prefix`() async throws {
        let bench = try AdapterBench(address: "http://localhost:8080/mcp", key: [])
        try await bench.run { browser in
            let page = try await browser.get(
                "/oauth/authorize",
                AdapterBench.request(["resource": "http://localhost:8080/mcp"])
            )
            let cookie = try #require(page.values("Set-Cookie").first)
            #expect(cookie.hasPrefix("mcp-form=") && !cookie.contains("Secure"))
        }
    }
}
