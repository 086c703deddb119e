// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// A caller that cancels.
struct BrokerCancellationTests {
    private func cancel(
        _ method: IdentityBrokerMethod,
        replies: [IdentityBrokerMethod: [FakeBroker.Reply]],
        limits: BrokerLimits = .patient
    ) async throws -> (
        failure: BrokerFailure?, broker: FakeBroker
    ) {
        let broker = FakeBroker(replies)
        let bus = try broker.bus()
        let (calls, arrival) = AsyncStream.makeStream(of: Void.self)
        broker.onCall { _ in arrival.yield() }
        let task = Task { try await BusBroker(bus, limits: limits).failure(of: method) }
        var arrivals = calls.makeAsyncIterator()
        _ = await arrivals.next()

        task.cancel()

        return (try await task.value, broker)
    }

    @Test func `a canceled interactive call makes the broker close its window`() async throws {
        let (failure, broker) = try await cancel(
            .tokenInteractively,
            replies: [.tokenInteractively: [.silence], .cancellation: [.json(.object([:]))]]
        )

        #expect(failure?.kind == .canceled)
        #expect(broker.members == ["acquireTokenInteractively", "cancelInteractiveFlow"])
        #expect(broker.calls.first?.correlationID == broker.calls.last?.correlationID)
        #expect(broker.calls.last?.object("Error")["status"] == .integer(8))
    }

    @Test func `a broker that cannot cancel, or hangs, does not block the caller`() async throws {
        var limits = BrokerLimits.patient
        limits.cancellation = .milliseconds(100)
        for reply in [FakeBroker.Reply.error("org.freedesktop.DBus.Error.Failed", text: "Not implemented"), .silence] {
            let (failure, _) = try await cancel(
                .tokenInteractively,
                replies: [.tokenInteractively: [.silence], .cancellation: [reply]],
                limits: limits
            )
            #expect(failure?.kind == .canceled)
        }
    }

    @Test func `a canceled silent call ends, and no flow is canceled at the broker`() async throws {
        let (failure, broker) = try await cancel(.tokenSilently, replies: [.tokenSilently: [.silence]])

        #expect(failure?.kind == .canceled)
        #expect(broker.members == ["acquireTokenSilently"])
    }

    @Test func `a task that was already canceled makes no call`() async throws {
        let broker = FakeBroker([.tokenInteractively: [.json(BrokerSample.token())]])
        let bus = try broker.bus()
        let task = Task { () -> BrokerFailure? in
            await Task.yield()
            withUnsafeCurrentTask { $0?.cancel() }
            return try await BusBroker(bus).failure(of: .tokenInteractively)
        }

        let failure = try await task.value

        #expect(failure?.kind == .canceled)
        #expect(broker.calls.isEmpty)
    }
}
