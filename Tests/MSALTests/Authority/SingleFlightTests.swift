// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

struct SingleFlightTests {
    /// A client with an expired token, and responses that each arrive when their gate opens.
    private func bench(_ gates: ManualTime...) throws -> ClientBench {
        let bench = ClientBench()
        try bench.seed(
            Contoso.refreshToken(),
            Contoso.accountRecord,
            Contoso.accessToken(expiresIn: -10, at: bench.time.now)
        )
        for (index, gate) in gates.enumerated() {
            let members = Contoso.tokens(idToken: nil, ["access_token": .string("token-\(index + 1)")])
            bench.service.append([
                .made { _ throws(TransportError) in
                    do {
                        try await gate.sleep(for: .seconds(1))
                    } catch {
                        throw TransportError(.canceled, message: "The request was canceled.")
                    }
                    return .json(.object(members))
                }
            ])
        }
        return bench
    }

    @Test func `a flight starts on the thread of its caller`() async throws {
        struct Left: Error {}
        let flights = SingleFlight<String, UInt, Left>(cancellation: Left())
        @Sendable func thread() -> UInt { UInt(pthread_self()) }

        let caller = thread()
        let first = try await flights.run("key") { .success(thread()) }

        #expect(first == caller)
    }

    @Test func `a thousand concurrent calls with one expired token send one request`() async throws {
        let gate = ManualTime()
        let bench = try bench(gate)

        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await bench.client.silent.acquire(Contoso.silent()).accessToken.exposed }
            }
            await gate.untilSomebodySleeps()
            gate.advance(by: .seconds(1))
            return try await group.reduce(into: [:]) { counts, token in counts[token, default: 0] += 1 }
        }

        #expect(tokens == ["token-1": 1000])
        #expect(bench.service.tokenRequests.count == 1)
    }

    @Test func `the others get their response if the leader is canceled`() async throws {
        let gate = ManualTime()
        let bench = try bench(gate)
        bench.service.setLast(
            .reply(.json(.object(Contoso.tokens(idToken: nil, ["access_token": .string("token-2")]))))
        )
        let leader = Task { try await bench.client.silent.acquire(Contoso.silent()) }
        await gate.untilSomebodySleeps()
        let followers = (0..<20).map { _ in Task { try await bench.client.silent.acquire(Contoso.silent()) } }
        try await until(bench.client.refreshes.callers == 21)

        leader.cancel()

        let failure = await #expect(throws: AuthError.self) { try await leader.value }
        #expect(failure?.nsError.code == MSALError.userCanceled.rawValue)
        gate.advance(by: .seconds(1))
        for follower in followers { #expect(try await follower.value.accessToken.exposed == "token-1") }
        #expect(bench.service.tokenRequests.count == 1)
    }

    @Test func `a forced refresh does not join an older flight`() async throws {
        let (older, younger) = (ManualTime(), ManualTime())
        let bench = try bench(older, younger)
        let first = Task { try await bench.client.silent.acquire(Contoso.silent()) }
        await older.untilSomebodySleeps()

        let forced = Task { try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true)) }
        await younger.untilSomebodySleeps()
        younger.advance(by: .seconds(1))

        #expect(try await forced.value.accessToken.exposed == "token-2")
        older.advance(by: .seconds(1))
        #expect(try await first.value.accessToken.exposed == "token-1")
        #expect(bench.service.tokenRequests.count == 2)
    }

    @Test func `a forced refresh keeps its own response if another starts after it`() async throws {
        let (older, younger) = try await twoForcedRefreshes()

        older.gate.advance(by: .seconds(1))

        #expect(try await older.call.value.accessToken.exposed == "token-1")
        younger.gate.advance(by: .seconds(1))
        #expect(try await younger.call.value.accessToken.exposed == "token-2")
    }

    @Test func `canceling a forced refresh cancels only its own request`() async throws {
        let (older, younger) = try await twoForcedRefreshes()

        older.call.cancel()

        let failure = await #expect(throws: AuthError.self) { try await older.call.value }
        #expect(failure?.nsError.code == MSALError.userCanceled.rawValue)
        younger.gate.advance(by: .seconds(1))
        #expect(try await younger.call.value.accessToken.exposed == "token-2")
    }

    /// A call in progress, whose response arrives when `gate` opens.
    private struct ForcedRefresh {
        let gate: ManualTime
        let call: Task<TokenResult, any Error>

        init(_ bench: ClientBench, gate: ManualTime) async {
            self.gate = gate
            call = Task { try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true)) }
            await gate.untilSomebodySleeps()
        }
    }

    private func twoForcedRefreshes() async throws -> (older: ForcedRefresh, younger: ForcedRefresh) {
        let gates = (ManualTime(), ManualTime())
        let bench = try bench(gates.0, gates.1)
        return (await ForcedRefresh(bench, gate: gates.0), await ForcedRefresh(bench, gate: gates.1))
    }
}
