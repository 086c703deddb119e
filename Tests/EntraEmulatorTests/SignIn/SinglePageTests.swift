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
            #expect(fromPage.headers.first(name: "access-control-allow-origin") == "*")
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
