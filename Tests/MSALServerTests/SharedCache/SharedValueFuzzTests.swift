// Licensed under the MIT License. See LICENSE.

import MSALBase
import TestSupport
import Testing

@testable import MSALServer

/// Damaged values after decryption. Without the key no one can create them, but a trap would end the service.
struct SharedValueFuzzTests {
    @Test func `a damaged grant of the store is rejected, or serialized and parsed to the same value`() {
        let small = SharedGrant(user: TokenUser(homeAccountID: "u.t", claims: ["oid": .string("u")]))
        var fuzz = Fuzz(corpus: [SharedValueTests.grant.bytes, small.bytes], words: Self.words)
        var readable = 0
        fuzz.run { input in
            guard let grant = SharedGrant(input) else { return }  // Rejected.
            readable += 1
            #expect(SharedGrant(grant.bytes)?.bytes == grant.bytes)
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable grants.")
    }

    @Test func `a damaged token of the store is rejected, or serialized and parsed to the same value`() {
        let now: Int64 = 1_800_000_000
        let entry = SharedValueTests.entry
        let small = CachedAccessToken(
            accessToken: Secret("t"),
            life: CachedAccessToken.Life(until: now + 1),
            scopes: []
        )
        var fuzz = Fuzz(
            corpus: [SharedValueTests.token(at: now), small].map { SharedToken.bytes(of: $0, named: entry, at: now) },
            words: Self.words
        )
        var readable = 0
        fuzz.run { input in
            func read(_ bytes: [UInt8]) -> CachedAccessToken? {
                SharedToken.token(bytes, named: entry, remaining: .seconds(Int64.max), of: nil, at: now)
            }
            guard let token = read(input) else { return }  // Rejected.
            readable += 1
            let written = SharedToken.bytes(of: token, named: entry, at: now)
            #expect(read(written).map { SharedToken.bytes(of: $0, named: entry, at: now) } == written)
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable tokens.")
    }

    /// Numbers and headers of parts that have a meaning.
    private static let words = ["\u{0}", "\u{1}", "\u{2}", "\u{7F}", "\u{1}\u{2}", "\u{7}\u{1}", "\u{6}\u{1}", "a.b"]
}
