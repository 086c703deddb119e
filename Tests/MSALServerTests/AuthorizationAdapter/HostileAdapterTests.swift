// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import Synchronization
import TestSupport
import Testing

/// Clients, browsers, and documents that try to get a token that is not theirs. Nothing is issued to them.
struct HostileAdapterTests {
    private static let notTrusted: [[String: String?]] = [
        ["client_id": nil], ["client_id": "x"], ["client_id": "http://client.example/metadata.json"],
        ["client_id": "https://client.example"], ["client_id": "https://client.example/"],
        ["client_id": "https://client.example/a/../metadata.json"],
        ["client_id": "https://client.example/metadata.json#a"],
        ["client_id": "https://user@client.example/metadata.json"], ["client_id": "https://client.example/other.json"],
        ["redirect_uri": nil], ["redirect_uri": "https://evil.example/callback"],
        ["redirect_uri": "javascript:alert(1)"],
        ["redirect_uri": "\(AdapterBench.redirect)/"], ["redirect_uri": "\(AdapterBench.redirect)?a=b"],
        ["redirect_uri": "\(AdapterBench.redirect)#a"], ["redirect_uri": "https://client.example:443/callback"],
        ["redirect_uri": "https://CLIENT.example/callback"],
        ["redirect_uri": "http://localhost:1@evil.example/callback"],
        ["redirect_uri": "http://localhost:99999/callback"], ["redirect_uri": "http://localhost:+1/callback"],
        ["redirect_uri": "http://localhost:0/callback"], ["redirect_uri": "http://localhost:/callback"],
        ["redirect_uri": "http://localhost.evil.example/callback"],
        ["redirect_uri": "http://127.0.0.1/callback"], ["redirect_uri": "http://localhost:1/callback/../x"],
    ]

    @Test(arguments: notTrusted)
    func `a request of an unknown client, or with a foreign redirect URI, gets a page`(
        changes: [String: String?]
    ) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            let answer = try await browser.get("/oauth/authorize", AdapterBench.request(changes))

            #expect(answer.status == 400)
            #expect(answer.address == nil)
            #expect(answer.values("Set-Cookie").isEmpty)
        }
    }

    private static let refused: [([String: String?], String)] = [
        (["response_type": "token"], "unsupported_response_type"),
        (["response_type": nil], "unsupported_response_type"),
        (["code_challenge": nil], "invalid_request"), (["code_challenge_method": nil], "invalid_request"),
        (["code_challenge_method": "plain"], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
        (["code_challenge": String(repeating: "+", count: 43)], "invalid_request"),
        (["scope": "https://graph.microsoft.com/.default"], "invalid_scope"), (["scope": ".default"], "invalid_scope"),
        (["scope": "api://tools/.default"], "invalid_scope"),
        (["scope": "\(AdapterBench.scope) User.Read"], "invalid_scope"),
        (["scope": AdapterBench.scope.uppercased()], "invalid_scope"), (["prompt": "create"], "invalid_request"),
        (["resource": nil], "invalid_target"), (["resource": "https://graph.microsoft.com"], "invalid_target"),
        (["resource": "\(AdapterBench.address)#a"], "invalid_target"),
        (["resource": "\(AdapterBench.address)/"], "invalid_target"),
        (["resource": AdapterBench.issuer], "invalid_target"),
        (["state": String(repeating: "s", count: 1025)], "invalid_request"),
        (["login_hint": String(repeating: "h", count: 1025)], "invalid_request"),
    ]

    @Test(arguments: refused)
    func `a request that is not allowed gets an error`(changes: [String: String?], error: String) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            let answer = try await browser.get("/oauth/authorize", AdapterBench.request(changes))

            #expect(answer.status == 303)
            #expect(answer.address?.hasPrefix("\(AdapterBench.redirect)?") == true)
            #expect(answer.target?["error"] == error)
            #expect(answer.target?["iss"] == AdapterBench.issuer)
        }
    }

    @Test(arguments: ["resource", "client_id", "redirect_uri", "scope", "unknown"])
    func `a doubled parameter is refused`(name: String) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            var form = FormBody()
            form.merge(AdapterBench.request(["unknown": "1"]))
            let answer = try await browser.get("/oauth/authorize?\(form.query)&\(name)=x")
            #expect(answer.status == 400 && answer.address == nil)
            #expect(answer.body.contains("have a duplicate"))

            let code = try await browser.code()
            form = FormBody()
            form.merge(AdapterBench.redemption(code, ["scope": "x", "unknown": "1"]))
            let text = String(decoding: form.data, as: UTF8.self)
            let redeemed = try await browser.post("/oauth/token", text: "\(text)&\(name)=x")
            #expect(redeemed.status == 400)
            #expect(redeemed.json["error"] == .string("invalid_request"))
            #expect(bench.service.messages.isEmpty)
        }
    }

    private static let redemptions: [([String: String?], String)] = [
        (
            ["grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"],
            "unsupported_grant_type"
        ),
        (["grant_type": "password", "username": "megan@contoso.example", "password": "x"], "unsupported_grant_type"),
        (["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "x"], "unsupported_grant_type"),
        (["grant_type": "urn:ietf:params:oauth:grant-type:device_code"], "unsupported_grant_type"),
        (["grant_type": "urn:ietf:params:oauth:grant-type:token-exchange"], "unsupported_grant_type"),
        (["grant_type": nil], "unsupported_grant_type"), (["client_secret": "x"], "invalid_client"),
        (["client_assertion": "x"], "invalid_client"), (["client_id": nil], "invalid_request"),
        (["client_id": "https://evil.example/metadata.json"], "invalid_grant"),
        (["client_id": AdapterBench.clientID], "invalid_grant"),
        (["redirect_uri": nil], "invalid_grant"), (["redirect_uri": "http://localhost:1/callback"], "invalid_grant"),
        (["code_verifier": String(repeating: "w", count: 43)], "invalid_grant"),
        (["code_verifier": nil], "invalid_request"),
        (["code_verifier": "v"], "invalid_request"), (["code": "entra-code"], "invalid_grant"),
        (["code": nil], "invalid_grant"),
        (["resource": nil], "invalid_target"), (["resource": "https://graph.microsoft.com"], "invalid_target"),
        (["grant_type": "refresh_token", "refresh_token": "entra-refresh-token"], "invalid_grant"),
        (["grant_type": "refresh_token", "refresh_token": nil], "invalid_grant"),
    ]

    @Test(arguments: redemptions)
    func `a redemption that is not allowed sends nothing to the service`(
        changes: [String: String?],
        error: String
    ) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let code = try await browser.code()

            let answer = try await browser.post("/oauth/token", AdapterBench.redemption(code, changes))

            #expect(answer.status == 400)
            #expect(answer.json["error"] == .string(error))
            #expect(answer.json["access_token"] == nil)
            #expect(bench.service.messages.isEmpty)
        }
    }

    @Test func `client authentication in a header, and a body that is not a form, are refused`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let form = AdapterBench.redemption(try await browser.code())
            let basic = try await browser.post("/oauth/token", form, lines: ["Authorization: Basic eDp5"])
            #expect(basic.status == 401 && basic.json["error"] == .string("invalid_client"))
            #expect(basic.values("WWW-Authenticate") == ["Basic"])
            let texts = [("{}", "application/json"), ("%", "application/x-www-form-urlencoded"), ("a=b", "text/plain")]
            for (text, type) in texts + [(String(repeating: "a", count: 70_000), "application/x-www-form-urlencoded")] {
                let answer = try await browser.post("/oauth/token", text: text, type: type)
                #expect(answer.status == 400 && answer.json["error"] == .string("invalid_request"))
                let decision = try await browser.post("/oauth/authorize", text: text, type: type)
                #expect(decision.status == 400 && decision.address == nil)
            }
            #expect(bench.service.messages.isEmpty)
        }
    }

    @Test func `a refresh token is of no use to another client, and gets no further scopes`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let code = try await browser.code(["scope": "\(AdapterBench.scope) offline_access"])
            let tokens = try await browser.post("/oauth/token", AdapterBench.redemption(code))
            let token = try #require(tokens.json["refresh_token"]?.string)
            var form = [
                "grant_type": "refresh_token", "refresh_token": token,
                "client_id": "https://evil.example/metadata.json",
                "resource": AdapterBench.address,
            ]
            #expect(try await browser.post("/oauth/token", form).json["error"] == .string("invalid_grant"))
            form["client_id"] = AdapterBench.client
            form["scope"] = "api://tools/Notes.Write"
            #expect(try await browser.post("/oauth/token", form).json["error"] == .string("invalid_scope"))
            form["scope"] = "https://graph.microsoft.com/.default"
            #expect(try await browser.post("/oauth/token", form).json["error"] == .string("invalid_scope"))
            form["scope"] = nil
            form["resource"] = nil
            #expect(try await browser.post("/oauth/token", form).json["error"] == .string("invalid_target"))
            #expect(bench.service.messages.count == 1)
        }
    }

    @Test func `a callback works once, in the browser that began, for ten minutes`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let state = try #require(try await browser.consent().target?["state"])
            let parameters = ["code": "entra-code", "state": state]
            let other = AdapterBrowser(client: browser.client)
            #expect(try await other.get("/oauth/callback", parameters).status == 400)
            var late = browser
            bench.time.advance(by: .seconds(601))
            #expect(try await late.get("/oauth/callback", parameters).status == 400)

            browser.cookies = [:]
            let second = try #require(try await browser.consent().target?["state"])
            late.cookies = browser.cookies
            let fresh = ["code": "entra-code", "state": second]
            let answer = try await browser.get("/oauth/callback", fresh)
            browser.keep(answer)
            #expect(answer.status == 303)
            #expect(try await browser.get("/oauth/callback", fresh).status == 400)
            for state in ["", "x", "x.y", String(second.dropLast(2)), "A" + second] {
                #expect(try await late.get("/oauth/callback", ["code": "entra-code", "state": state]).status == 400)
            }

            let code = try #require(answer.target?["code"])
            bench.time.advance(by: .seconds(601))
            let expired = try await browser.post("/oauth/token", AdapterBench.redemption(code))
            #expect(expired.json["error"] == .string("invalid_grant"))
            #expect(bench.service.messages.isEmpty)
        }
    }

    @Test func `a form of another browser, an old one, and a code as a form are refused`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let page = try await browser.get("/oauth/authorize", AdapterBench.request())
            browser.keep(page)
            let form = String(try #require(page.body.firstMatch(of: /name="form" value="([^"]+)"/)?.1))
            let state = try #require(try await browser.consent().target?["state"])
            for value in ["", "x", String(form.dropLast(4)), state] {
                let answer = try await browser.post("/oauth/authorize", ["form": value, "action": "accept"])
                #expect(answer.status == 400 && answer.address == nil)
            }
            let other = AdapterBrowser(
                client: browser.client,
                cookies: ["__Host-mcp-form": String(repeating: "a", count: 43)]
            )
            #expect(try await other.post("/oauth/authorize", ["form": form, "action": "accept"]).status == 400)
            #expect(try await browser.post("/oauth/authorize", ["form": form, "action": "accept"]).status == 303)
            bench.time.advance(by: .seconds(601))
            #expect(try await browser.post("/oauth/authorize", ["form": form, "action": "accept"]).status == 400)
        }
    }

    @Test(arguments: [nil, 503, 429, 500])
    func `a code is never sent twice when the service is down`(status: Int?) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let code = try await browser.code()
            if let status {
                bench.service.reply(status, "{}")
            } else {
                bench.service.fail(TransportError(.timedOut, message: "As the test says."))
            }

            let answer = try await browser.post("/oauth/token", AdapterBench.redemption(code))

            #expect(answer.status == 503)
            #expect(answer.json["error"] == .string("temporarily_unavailable"))
            #expect(bench.service.messages.count == 1)
        }
    }

    @Test(arguments: [
        ("invalid_grant", "invalid_grant", 400), ("interaction_required", "invalid_grant", 400),
        ("invalid_client", "server_error", 502), ("invalid_scope", "invalid_scope", 400),
    ])
    func `a refusal of the service becomes an OAuth error`(error: String, expected: String, status: Int) async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            let code = try await browser.code()
            bench.service.reply(400, #"{"error":"\#(error)","error_description":"AADSTS1: A reason."}"#)

            let answer = try await browser.post("/oauth/token", AdapterBench.redemption(code))

            #expect(answer.status == status)
            #expect(answer.json["error"] == .string(expected))
        }
    }

    private static let documents: [String?] = [
        nil, "", "[]", "{", DocumentShelf.document(["client_id": .string("https://evil.example/metadata.json")]),
        DocumentShelf.document(["client_id": .string("\(AdapterBench.client)/")]),
        DocumentShelf.document(["client_name": nil]),
        DocumentShelf.document(["client_name": .string("")]), DocumentShelf.document(["redirect_uris": nil]),
        DocumentShelf.document(["redirect_uris": .array([])]),
        DocumentShelf.document(["redirect_uris": .array([.integer(1)])]),
        DocumentShelf.document(["redirect_uris": .array([.string("https://client.example/*")])]),
        DocumentShelf.document(["token_endpoint_auth_method": .string("private_key_jwt")]),
        DocumentShelf.document(["token_endpoint_auth_method": .string("client_secret_basic")]),
        DocumentShelf.document(["client_secret": .string("x")]),
    ]

    @Test(arguments: documents)
    func `a document that is not valid, or is another client's, is refused`(document: String?) async throws {
        let bench = try AdapterBench()
        bench.documents.put(document)
        try await bench.run { browser in
            let answer = try await browser.get("/oauth/authorize", AdapterBench.request())
            #expect(answer.status == 400)
        }
    }

    @Test func `a document is cached, and checked again before the sign-in`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            var browser = browser
            for _ in 0..<3 { browser.keep(try await browser.get("/oauth/authorize", AdapterBench.request())) }
            #expect(bench.documents.count == 1)
            let page = try await browser.get("/oauth/authorize", AdapterBench.request())
            let form = String(try #require(page.body.firstMatch(of: /name="form" value="([^"]+)"/)?.1))
            bench.documents.put(DocumentShelf.document(["redirect_uris": .array([.string("https://other.example/")])]))
            bench.time.advance(by: .seconds(301))

            let answer = try await browser.post("/oauth/authorize", ["form": form, "action": "accept"])

            #expect(bench.documents.count == 2)
            #expect(answer.status == 400 && answer.address == nil)
        }
    }

    private static let registrations: [String] = [
        "", "[]", "{}", #"{"redirect_uris":[]}"#, #"{"redirect_uris":"http://localhost/callback"}"#,
        #"{"redirect_uris":["javascript:alert(1)"]}"#, #"{"redirect_uris":["https://*.client.example/callback"]}"#,
        #"{"redirect_uris":["https://evil.example/callback"]}"#, #"{"redirect_uris":[1]}"#,
        #"{"redirect_uris":["\#(AdapterBench.redirect)","https://evil.example/"]}"#,
        #"{"redirect_uris":[\#([String](repeating: "\"\(AdapterBench.redirect)\"", count: 11).joined(separator: ","))]}"#,
        #"{"redirect_uris":["\#(AdapterBench.redirect)"],"x":"\#(String(repeating: "x", count: 17_000))"}"#,
    ]

    @Test(arguments: registrations)
    func `a registration with a redirect URI that is not allowed is refused`(body: String) async throws {
        let bench = try AdapterBench { $0.allowsRegistration = true }
        try await bench.run { browser in
            let answer = try await browser.post("/oauth/register", text: body, type: "application/json")
            #expect(answer.status == 400)
            #expect(answer.json["client_id"] == nil && answer.json["error"] != nil)
        }
    }

    @Test func `without registration its endpoint does not exist`() async throws {
        let bench = try AdapterBench()
        try await bench.run { browser in
            let body = #"{"redirect_uris":["\#(AdapterBench.redirect)"]}"#
            let answer = try await browser.post("/oauth/register", text: body, type: "application/json")
            #expect(answer.status == 404)
        }
    }
}

/// Fetches of documents whose servers try to reach something else through this machine.
struct ClientDocumentFetcherTests {
    private static let url = URL(string: AdapterBench.client)

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1",
        "ff02::1",
        "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:a00:1::1", "2001::1",
        "2001:db8::1",
        "3fff::1", "x", "",
    ])
    func `an address that is not public is never contacted`(address: String) async throws {
        #expect(!PublicAddress.contains(address))
        let url = try #require(Self.url)
        for resolved in [address, nil] {
            var fetcher = ClientDocumentFetcher()
            fetcher.resolve = { _ in resolved }
            fetcher.transport = { _ in
                Issue.record("A request was sent.")
                return ScriptedTransport([])
            }
            let ready = fetcher
            await #expect(throws: ClientDocumentFetcher.Refusal.self) { try await ready.document(at: url) }
        }
    }

    @Test func `the connection goes to the address that was checked, without a proxy`() async throws {
        let url = try #require(Self.url)
        let seen = SeenSettings()
        for address in ["93.184.216.34", "2606:2800:220:1::1"] {
            var fetcher = ClientDocumentFetcher()
            fetcher.resolve = { _ in address }
            let transport = ScriptedTransport(.json("{}", headers: ["Cache-Control": "public, max-age=7200"]))
            fetcher.transport = { settings in
                seen.add(settings)
                return transport
            }

            let document = try await fetcher.document(at: url)

            #expect(document.lifetime == .seconds(7200))
            #expect(seen.last?.addresses == ["client.example": address])
            #expect(transport.messages.first?.maximumResponseBytes == 16 << 10)
        }
    }

    @Test func `a name server that does not respond ends the fetch after five seconds`() async throws {
        let url = try #require(Self.url)
        let time = ManualTime()
        let answer = OneShot<String?>()
        // The system's resolver ignores cancellation, too.
        let resolution = Task { await answer.value(ifCancelled: nil) }
        var fetcher = ClientDocumentFetcher(time: time)
        fetcher.resolve = { _ in await resolution.value }
        let fetch = Task { [fetcher] in try await fetcher.document(at: url) }

        await time.untilSomebodySleeps()
        time.advance(by: .seconds(5))

        await #expect(throws: ClientDocumentFetcher.Refusal.self) { try await fetch.value }
        answer.settle(nil)
    }

    @Test(arguments: [301, 302, 307, 404, 500])
    func `only a direct response is used`(status: Int) async throws {
        let url = try #require(Self.url)
        var fetcher = ClientDocumentFetcher()
        fetcher.resolve = { _ in "93.184.216.34" }
        let reply = HTTPResponse(status: status, headers: ["Location": "https://127.0.0.1/"], body: Data("{}".utf8))
        let transport = ScriptedTransport(.init("a document", result: { _ in reply }))
        fetcher.transport = { _ in transport }
        let ready = fetcher
        await #expect(throws: ClientDocumentFetcher.Refusal.self) { try await ready.document(at: url) }
        #expect(transport.messages.count == 1)
    }

    @Test(
        arguments: ["client.example", "CLIENT.Example"],
        [AdapterBench.client, "https://Client.EXAMPLE/metadata.json"]
    )
    func `a trusted host is reached at its configured address, in any letter case`(
        name: String,
        address: String
    ) async throws {
        let url = try #require(URL(string: address))
        let seen = SeenSettings()
        let authority = URL(filePath: "/etc/authority.pem")
        let host = MSALTrustedDocumentHost(address: "10.0.0.1", caFile: authority)
        var fetcher = ClientDocumentFetcher(trustedHosts: [name: host])
        fetcher.resolve = { _ in
            Issue.record("The name was resolved.")
            return nil
        }
        fetcher.transport = { settings in
            seen.add(settings)
            return ScriptedTransport(.json("{}"))
        }
        _ = try await fetcher.document(at: url)
        #expect(seen.last?.addresses.values.first == "10.0.0.1")
        #expect(seen.last?.caFile == authority)
    }

    private final class SeenSettings: Sendable {
        private let all = Mutex<[HTTPSettings]>([])

        var last: HTTPSettings? { all.withLock { $0.last } }

        func add(_ settings: HTTPSettings) { all.withLock { $0.append(settings) } }
    }
}
