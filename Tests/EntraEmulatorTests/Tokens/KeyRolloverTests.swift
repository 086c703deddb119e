// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct KeyRolloverTests {
    private func keyIDs(_ bench: Bench) async throws -> [String] {
        let keys = try await bench.get("/\(Bench.tenant)/discovery/v2.0/keys").json()["keys"] as? [[String: Any]]
        return (keys ?? []).compactMap { $0["kid"] as? String }
    }

    private func keyID(of token: Any?) throws -> String? {
        let parts = try #require(token as? String).split(separator: ".")
        // The claims of a "token" that has the header in their place.
        return try Bench.claims("x.\(parts[0]).y")["kid"] as? String
    }

    @Test func `an announced key is shown, and signs after the rollover`() async throws {
        try await Bench.run { bench in
            let first = try await keyIDs(bench)
            let announced = try await bench.emulator.announceSigningKey()
            let again = try await bench.emulator.announceSigningKey()
            let before = try await bench.tokens()["access_token"] as? String
            let shown = try await keyIDs(bench)
            let rolled = try await bench.emulator.rollOverSigningKey()
            let after = try await bench.tokens()["access_token"] as? String

            #expect(announced == again && rolled == announced)
            #expect(shown == first + [announced])
            #expect(try keyID(of: before) == first[0])
            #expect(try keyID(of: after) == announced)
            #expect(try await keyIDs(bench) == [announced] + first)
        }
    }

    @Test func `uneven replicas show the newest key every second time`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let first = try await keyIDs(bench)
            let switched = try await ControlPort(bench).call(.POST, "/keys", ["uneven": true])
            #expect(switched.status == 200)
            // There is no older set yet.
            #expect(try await keyIDs(bench) == first)
            #expect(try await keyIDs(bench) == first)

            let id = try await bench.emulator.rollOverSigningKey()
            var shown: [[String]] = []
            for _ in 0..<4 { shown.append(try await keyIDs(bench)) }
            #expect(shown == [first, [id] + first, first, [id] + first])

            try await bench.emulator.reset()
            for _ in 0..<2 { #expect(try await keyIDs(bench) == [id] + first) }
        }
    }

    @Test func `a new key signs, and signatures of the old key remain valid`() async throws {
        try await Bench.run { bench in
            let before = try await bench.tokens()["access_token"] as? String
            let first = try await keyIDs(bench)
            let id = try await bench.emulator.rollOverSigningKey()
            let after = try await bench.tokens()["access_token"] as? String

            #expect(first.count == 1)
            #expect(try await keyIDs(bench) == [id] + first)
            #expect(try keyID(of: before) == first[0])
            #expect(try keyID(of: after) == id)
            #expect(try await bench.get("/v1.0/me", token: before).status == 200)
            #expect(try await bench.get("/v1.0/me", token: after).status == 200)
        }
    }
}
