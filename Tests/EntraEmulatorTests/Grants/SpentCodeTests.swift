// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// What is left of a code that was presented in the wrong way.
struct SpentCodeTests {
    @Test func `a code presented by another client is used up`() async throws {
        try await Bench.run { bench in
            let code = try await Self.code(bench)
            let other = try await bench.redeem(code, changing: ["client_id": bench.emulator.seed.familyClientID])
            let own = try await bench.redeem(code)

            #expect(try other.errorCode() == 70_000)
            #expect(try own.errorCode() == 54_005)
        }
    }

    @Test func `a code without its verifier is used up`() async throws {
        try await Bench.run { bench in
            let code = try await Self.code(bench)
            let bare = try await bench.redeem(code, changing: ["code_verifier": nil])
            let whole = try await bench.redeem(code)

            #expect(try bare.errorCode() == 900_144)
            #expect(try whole.errorCode() == 54_005)
        }
    }

    @Test func `a used code presented by another client revokes its tokens`() async throws {
        try await Bench.run { bench in
            let code = try await Self.code(bench)
            let body = try await bench.redeem(code).json()
            let other = try await bench.redeem(code, changing: ["client_id": bench.emulator.seed.familyClientID])
            let me = try await bench.get("/v1.0/me", token: body["access_token"] as? String)
            let refreshed = try await bench.refresh(try #require(body["refresh_token"] as? String))

            #expect(try other.errorCode() == 70_000)
            #expect(me.status == 401)
            #expect(try refreshed.errorCode() == 50_173)
        }
    }

    private static func code(_ bench: Bench) async throws -> String {
        let response = try await Browser(bench).signIn(bench.authorizeURL(changing: ["claims": Bench.capable]))
        return try #require(response.parameters["code"])
    }
}
