// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The rules for applications that run in a page.
struct SinglePageTests {
    private static let redirect = "https://app.contoso.example/spa"
    private static let origin = ["origin": "https://app.contoso.example"]

    @Test func `tokens for a page are redeemed from a page`() async throws {
        try await Bench.run { bench in
            let fromPage = try await Self.redeem(bench, headers: Self.origin)
            let fromElsewhere = try await Self.redeem(bench, headers: [:])
            let ofAnotherApp = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: Self.form(
                    bench,
                    code: try await Browser(bench).signIn(bench.authorizeURL()).parameters["code"],
                    redirect: Bench.redirect
                ),
                headers: Self.origin
            )

            #expect(fromPage.status == 200)
            #expect(fromPage.headers.first(name: "access-control-allow-origin") == Self.origin["origin"])
            #expect(fromPage.headers["vary"] == ["Origin"])
            #expect(ofAnotherApp.headers.first(name: "access-control-allow-origin") == Self.origin["origin"])
            #expect(try fromElsewhere.errorCode() == 9_002_327)
            #expect(try ofAnotherApp.errorCode() == 9_002_326)
        }
    }

    @Test func `an application of that type has the same rules`() async throws {
        try await Bench.run {
            $0.directory.applications[0].kind = .singlePage
            $0.directory.applications[0].redirectURIs = [Self.redirect]
            $0.directory.applications[0].singlePageRedirectURIs = []
        } _: { bench in
            let fromPage = try await Self.redeem(bench, headers: Self.origin)
            let fromElsewhere = try await Self.redeem(bench, headers: [:])

            #expect(fromPage.status == 200)
            #expect(try fromElsewhere.errorCode() == 9_002_327)
        }
    }

    @Test(
        arguments: [
            ("https://app.contoso.example", "authorization_code", true),
            ("https://app.contoso.example:444", "authorization_code", false),
            ("http://app.contoso.example", "refresh_token", false), ("null", "refresh_token", false),
            ("https://app.contoso.example/spa", "refresh_token", false),
            ("https://app.contoso.example", "password", false),
            ("https://app.contoso.example", "client_credentials", false),
            ("https://app.contoso.example", "urn:ietf:params:oauth:grant-type:device_code", false),
        ]
    )
    func `only the app's own origins may read a response of the token endpoint`(
        origin: String,
        grant: String,
        isAllowed: Bool
    ) async throws {
        try await Bench.run { bench in
            let form = ["grant_type": grant, "client_id": bench.emulator.seed.clientID]
            let path = "/\(Bench.tenant)/oauth2/v2.0/token"
            let headers = ["origin": origin, "access-control-request-method": "POST"]

            let preflight = try await bench.send(.OPTIONS, to: path, headers: headers)
            let refused = try await bench.send(.POST, to: path, form: form, headers: headers)

            #expect(preflight.headers["access-control-allow-origin"] == ["*"])
            #expect(refused.status == 400 || refused.status == 401)
            #expect(refused.headers["access-control-allow-origin"] == (isAllowed ? [origin] : []))
        }
    }

    @Test func `a secret in a browser is rejected`() async throws {
        try await Bench.run { bench in
            let response = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "client_credentials", "client_id": bench.emulator.seed.serviceClientID,
                    "client_secret": bench.emulator.seed.serviceSecret,
                    "scope": "https://graph.microsoft.com/.default",
                ],
                headers: Self.origin
            )

            #expect(try response.errorCode() == 9_002_326)
            #expect(response.headers["access-control-allow-origin"].isEmpty)
        }
    }

    @Test(arguments: ["https://app.fabrikam.example", "https://attacker.example"])
    func `native authentication V2 is readable from the tenant's origins`(origin: String) async throws {
        try await Bench.run {
            $0.directory.tenants[1].nativeAuthenticationOrigins = ["https://app.fabrikam.example"]
        } _: { bench in
            let allowed = origin == "https://app.fabrikam.example" ? [origin] : []
            for (version, method) in [("authorize-challenge", HTTPMethod.OPTIONS), ("authorize-challenge", .POST)] {
                let response = try await bench.send(
                    method,
                    to: "/fabrikam/oauth2/v2.0/\(version)",
                    headers: ["origin": origin]
                )
                #expect(response.headers["access-control-allow-origin"] == allowed)
            }
            let older = try await bench.send(
                .OPTIONS,
                to: "/fabrikam/oauth2/v2.0/initiate",
                headers: ["origin": origin]
            )
            #expect(older.headers["access-control-allow-origin"].isEmpty)
        }
    }

    @Test func `a refresh does not begin a new day`() async throws {
        try await Bench.run { bench in
            let first = try await Self.redeem(bench, headers: Self.origin).json()
            await bench.emulator.advanceClock(by: .seconds(20 * 3600))
            let second = try await Self.refresh(bench, tokens: first)
            await bench.emulator.advanceClock(by: .seconds(5 * 3600))
            let third = try await Self.refresh(bench, tokens: try second.json())

            #expect(second.status == 200)
            #expect(try third.errorCode() == 700_084)
            #expect(try third.json()["error"] as? String == "invalid_grant")
        }
    }

    private static func redeem(_ bench: Bench, headers: [String: String]) async throws -> Bench.Response {
        let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["redirect_uri": redirect]))
        return try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: try form(bench, code: response.parameters["code"], redirect: redirect),
            headers: headers
        )
    }

    private static func refresh(_ bench: Bench, tokens: [String: Any]) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID,
                "refresh_token": try #require(tokens["refresh_token"] as? String),
                "scope": "User.Read openid profile offline_access",
            ],
            headers: origin
        )
    }

    private static func form(_ bench: Bench, code: String?, redirect: String) throws -> [String: String] {
        [
            "grant_type": "authorization_code", "client_id": bench.emulator.seed.clientID,
            "code": try #require(code), "redirect_uri": redirect, "code_verifier": Bench.verifier,
        ]
    }
}
