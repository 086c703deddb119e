// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import StoreWorker
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

extension Torture {
    /// See docs/reference/Store.md#torture-stale.
    @Test func `a client that remembers tokens never serves an older one than the last commit`() async throws {
        try await TortureRun.with("T16 stale tokens") { run in
            let rounds = TortureSize.of(small: 2000, full: 1_000_000)
            let killing = TortureSize.of(small: 150, full: 5000)
            let file = run.directory.appending(path: "turns")
            let turns = try Turns(file)
            let client = try Reader(run)
            var random = run.random
            var worker = try Worker("turns", in: run.directory, ["turns=\(file.path)"])
            #expect(try worker.next() == "ready")
            var (hits, kills, stale) = (0, 0, 0)
            var before: Int?
            for turn in 1...rounds {
                let isKilled = turn % killing == 0
                var rest = isKilled ? Int.random(in: 0..<40, using: &random) : .max
                turns.asked = turn
                // During the commit both states are correct, but never the earlier one after the later one.
                var seen = before
                while turns.done != turn, rest > 0 {
                    let hit = try await client.hit()
                    if hit != seen, hit != Self.state(after: turn) { stale += 1 }
                    seen = hit
                    hits += 1
                    rest -= 1
                    if hits.isMultiple(of: 10_000) { try #require(worker.isAlive, "turn \(turn)") }
                }
                if isKilled {
                    worker.kill()
                    kills += 1
                    // Committed or not: only one state from now on.
                    let hit = try await client.hit()
                    if hit != Self.state(after: turn), hit != before { stale += 1 }
                    if turns.done == turn, hit != Self.state(after: turn) { stale += 1 }
                    before = hit
                    turns.done = turn
                    worker = try Worker("turns", in: run.directory, ["turns=\(file.path)"])
                    #expect(try worker.next() == "ready")
                } else {
                    before = Self.state(after: turn)
                }
                for _ in 0..<2 {
                    if try await client.hit() != before { stale += 1 }
                    hits += 1
                }
                try #require(stale == 0, "turn \(turn)")
            }
            worker.kill()
            run.say("\(rounds) commits of another process, \(kills) killed, \(hits) hits, none stale")
        }
    }

    /// The number of the stored token after a turn; `nil` after a sign-out.
    private static func state(after turn: Int) -> Int? { Turns.isSignOut(turn) ? nil : turn }
}

/// A client as in an app, with everything that it caches.
private struct Reader {
    private let client: TokenClient
    private let request: SilentRequest

    init(_ run: TortureRun) throws {
        let authority = try Authority.aad(try #require(URL(string: "https://login.microsoftonline.com/common")))
        client = TokenClient(
            configuration: ClientConfiguration(
                clientID: Numbered.clientID,
                authority: authority,
                redirectURI: .loopback
            ),
            platform: Platform(
                transport: ScriptedTransport(),
                agent: StubAgent { _, _ in [:] },
                time: ManualTime(now: Numbered.now)
            ),
            store: BufferedStore(over: try run.store()),
            session: CurrentSession()
        )
        request = SilentRequest(
            token: TokenRequest(scopes: ScopeSet(parsing: Numbered.scope)),
            account: AccountReference(
                homeAccountID: Numbered.homeAccountID(0),
                username: nil,
                environment: Numbered.environment
            )
        )
    }

    /// The number of the returned token; `nil` if the user must sign in.
    func hit() async throws -> Int? {
        do throws(AuthError) {
            let result = try await client.silent.acquire(request)
            return result.accessToken.exposed.split(separator: "-").last.flatMap { Int($0) }
        } catch {
            guard case .interactionRequired = error.kind else { throw error }
            return nil
        }
    }
}
