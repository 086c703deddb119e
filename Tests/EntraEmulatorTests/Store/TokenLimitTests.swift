// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// How many refresh tokens a sign-in keeps.
struct TokenLimitTests {
    @Test func `a refresh token that is in use stays however many were issued, and one that is not goes`() async throws
    {
        try await Bench.run { bench in
            let first = try #require(try await bench.tokens()["refresh_token"] as? String)
            let unused = try #require(try await bench.refresh(first).json()["refresh_token"] as? String)
            for _ in 0..<120 {
                let response = try await bench.refresh(first)
                try #require(response.status == 200)
            }
            let late = try await bench.refresh(unused)

            #expect(try late.errorCode() == 70_000)
        }
    }

    @Test func `a client that uses each refresh token once is not affected`() async throws {
        try await Bench.run { bench in
            var token = try #require(try await bench.tokens()["refresh_token"] as? String)
            for _ in 0..<120 {
                token = try #require(try await bench.refresh(token).json()["refresh_token"] as? String)
            }
        }
    }
}
