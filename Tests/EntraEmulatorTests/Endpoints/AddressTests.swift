// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// Methods, origins and oddities that are the same whatever the endpoint does.
struct AddressTests {
    @Test(
        arguments: [
            (.GET, "/common/oauth2/v2.0/token", "POST, OPTIONS"),
            (.GET, "/common/oauth2/v2.0/devicecode", "POST, OPTIONS"),
            (.GET, "/fabrikam/oauth2/v2.0/initiate", "POST, OPTIONS"),
            (.PUT, "/common/oauth2/v2.0/authorize", "GET, HEAD, POST, OPTIONS"),
            (.POST, "/common/discovery/v2.0/keys", "GET, HEAD, OPTIONS"),
        ] as [(HTTPMethod, String, String)]
    )
    func `a wrong method gets the allowed ones`(method: HTTPMethod, path: String, allowed: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.send(method, to: path)

            #expect(response.status == 405)
            #expect(response.headers.first(name: "allow") == allowed)
            #expect(response.text.contains("AADSTS900561"))
        }
    }

    @Test func `for an unknown address a browser gets a page, and a program JSON`() async throws {
        try await Bench.run { bench in
            let page = try await bench.send(.GET, to: "/nowhere/at/all", headers: ["accept": "text/html,*/*"])
            let program = try await bench.get("/nowhere/at/all")

            #expect(page.status == 404)
            #expect(page.heading != nil)
            #expect(program.status == 404)
            #expect(try program.json()["error"] as? String == "not_found")
        }
    }

    @Test func `scripts of any origin may read discovery and Graph`() async throws {
        try await Bench.run { bench in
            let origin = ["origin": "https://app.contoso.example"]
            for path in [
                "/common/v2.0/.well-known/openid-configuration", "/common/discovery/v2.0/keys", "/v1.0/me",
            ] {
                let preflight = try await bench.send(.OPTIONS, to: path, headers: origin)
                let response = try await bench.send(.GET, to: path, headers: origin)

                #expect(preflight.status == 204)
                #expect(preflight.headers.first(name: "access-control-allow-origin") == "*")
                #expect(preflight.headers.first(name: "access-control-allow-methods")?.contains("GET") == true)
                #expect(preflight.headers.first(name: "access-control-allow-headers") == "*, authorization")
                #expect(response.headers.first(name: "access-control-allow-origin") == "*")
            }
        }
    }

    @Test func `pages and native authentication are for their own origin only`() async throws {
        try await Bench.run { bench in
            let origin = ["origin": "https://app.contoso.example"]
            for path in ["/common/oauth2/v2.0/authorize", "/fabrikam/oauth2/v2.0/initiate", "/"] {
                let preflight = try await bench.send(.OPTIONS, to: path, headers: origin)
                #expect(preflight.status == 204)
                #expect(preflight.headers.first(name: "access-control-allow-origin") == nil)
            }
            let native = try await bench.send(
                .POST,
                to: "/fabrikam/oauth2/v2.0/token",
                form: ["grant_type": "password"],
                headers: origin
            )
            #expect(native.headers.first(name: "access-control-allow-origin") == nil)
        }
    }

    @Test func `responses that must not be stored have both headers`() async throws {
        try await Bench.run { bench in
            let response = try await bench.redeem("unknown")

            #expect(response.headers.first(name: "cache-control") == "no-store")
            #expect(response.headers.first(name: "pragma") == "no-cache")
        }
    }

    @Test func `invalid UTF-8 is rejected, not repaired`() async throws {
        try await Bench.run { bench in
            var request = HTTPClientRequest(url: "\(bench.base)/common/oauth2/v2.0/token")
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(bytes: Array("grant_type=".utf8) + [0xFF, 0xFE]))
            let response = try await bench.client.execute(request, timeout: .seconds(20))
            let body = try await response.body.collect(upTo: 1 << 16)

            #expect(response.status == .badRequest)
            #expect(String(buffer: body).contains("AADSTS9002313"))
        }
    }

    @Test func `the host of a region represents its cloud`() async throws {
        try await Bench.run { bench in
            let path = "/\(Bench.tenant)/v2.0/.well-known/openid-configuration"
            let headers = ["host": "westus2.login.microsoft.com"]
            let document = try await bench.send(.GET, to: path, headers: headers).json()

            #expect(document["issuer"] as? String == "https://login.microsoftonline.com/\(Bench.tenant)/v2.0")
        }
    }

    @Test func `the correlation ID may come in the form, as single-page apps send it`() async throws {
        try await Bench.run { bench in
            let id = UUID().uuidString.lowercased()
            let response = try await bench.send(
                .POST,
                to: "/common/oauth2/v2.0/token",
                form: ["client-request-id": id, "return-client-request-id": "true"]
            )

            #expect(response.headers.first(name: "client-request-id") == id)
            #expect(try response.json()["correlation_id"] as? String == id)
        }
    }

    @Test(arguments: [("megan@contoso.example", "Managed"), ("who@nowhere.example", "Unknown")])
    func `the realm of a user name is returned`(name: String, type: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.get("/common/userrealm/\(name)?api-version=1.0").json()

            #expect(response["account_type"] as? String == type)
            #expect(response["cloud_audience_urn"] as? String == "urn:federation:MicrosoftOnline")
        }
    }

    @Test func `an error's URI leads to a page about its number`() async throws {
        try await Bench.run { bench in
            let error = try await bench.redeem("unknown").json()
            let page = try await bench.get(try #require(error["error_uri"] as? String))
            let strange = try await bench.get("/error?code=%3Cscript%3E")

            #expect(page.status == 200)
            #expect(page.heading == "AADSTS70000")
            #expect(strange.heading == "Error numbers")
        }
    }

    @Test func `signing out may be posted`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            try await browser.post(
                "/\(Bench.tenant)/oauth2/v2.0/logout",
                form: ["post_logout_redirect_uri": Bench.redirect, "state": "x"]
            )
            #expect(browser.page?.location == "http://localhost:5000/?state=x")
            let silent = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))
            #expect(silent.parameters["error"] == "login_required")
        }
    }
}
