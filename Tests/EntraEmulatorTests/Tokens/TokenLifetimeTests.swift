// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Lifetimes, and the capabilities of clients in tokens.
struct TokenLifetimeTests {
    private static func life(_ tokens: [String: Any]) throws -> Int {
        let claims = try Bench.claims(tokens["access_token"])
        return try #require(claims["exp"] as? Int) - (try #require(claims["iat"] as? Int))
    }

    @Test func `a token for Graph is valid for a day if the client handles challenges`() async throws {
        try await Bench.run { bench in
            let usual = try await bench.tokens()
            let capable = try await bench.tokens(["claims": Bench.capable])
            let idToken = try Bench.claims(capable["id_token"])

            #expect(usual["expires_in"] as? Int == 3599)
            #expect(usual["refresh_in"] == nil)
            #expect(try Self.life(usual) == 3599)
            #expect(capable["expires_in"] as? Int == 86_399)
            #expect(capable["refresh_in"] as? Int == 43_199)
            #expect(try Self.life(capable) == 86_399)
            #expect(try Bench.claims(capable["access_token"])["xms_cc"] as? [String] == ["cp1"])
            #expect(idToken["exp"] as? Int == (idToken["iat"] as? Int).map { $0 + 3599 })
        }
    }

    @Test func `a configured lifetime applies to every client`() async throws {
        try await Bench.run {
            $0.accessTokenLifetime = .seconds(7_200)
        } _: { bench in
            let tokens = try await bench.tokens(["claims": Bench.capable])

            #expect(try Self.life(tokens) == 7_200)
            #expect(tokens["refresh_in"] as? Int == 3_600)
        }
    }

    @Test(arguments: [true, false])
    func `an API gets the capabilities only if it requests them`(isRequested: Bool) async throws {
        try await Bench.run { configuration in
            guard isRequested else { return }
            for index in configuration.directory.apis.indices {
                configuration.directory.apis[index].optionalClaims.append("xms_cc")
            }
        } _: { bench in
            let scope = bench.emulator.seed.toDoReadScope
            let tokens = try await bench.tokens(["claims": Bench.capable, "scope": scope])

            #expect(try Self.life(tokens) == 3599)
            #expect((try Bench.claims(tokens["access_token"])["xms_cc"] != nil) == isRequested)
        }
    }

    @Test func `a code is valid for ten minutes`() async throws {
        try await Bench.run { bench in
            let first = try await Browser(bench).signIn(bench.authorizeURL()).parameters["code"]
            await bench.emulator.advanceClock(by: .seconds(590))
            let redeemed = try await bench.redeem(try #require(first))
            let second = try await Browser(bench).signIn(bench.authorizeURL()).parameters["code"]
            await bench.emulator.advanceClock(by: .seconds(601))
            let expired = try await bench.redeem(try #require(second))

            #expect(redeemed.status == 200)
            #expect(try expired.errorCode() == 70_008)
        }
    }
}
