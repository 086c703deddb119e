// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The durations of a call, in its result and in its error.
struct DurationTests {
    /// An app's token cache. Each access takes a second.
    private final class SlowCache: NSObject, MSALSerializedCacheProviderDelegate {
        private let time: ManualTime

        init(_ time: ManualTime) { self.time = time }

        func willAccessCache(_ cache: MSALSerializedCacheProvider) throws { time.advance(by: .seconds(1)) }
        func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {}
    }

    private static func tokens(at now: Date, _ members: [String: JSONValue] = [:]) -> HTTPResponse {
        .json(.object(Contoso.tokens(idToken: Contoso.idToken(Contoso.claims(at: now)), members)))
    }

    /// The service's response after `duration`.
    private func respond(
        to bench: BadInputBench,
        after duration: Duration,
        _ response: @escaping @Sendable (Date) throws(TransportError) -> HTTPResponse
    ) {
        let time = bench.time
        bench.service.append([
            .made { _ throws(TransportError) in
                time.advance(by: duration)
                return try response(time.now)
            }
        ])
    }

    @Test func `a result has the time of the call, of the network with its retries, and of the store`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let cache = MSALSerializedCacheProvider(delegate: SlowCache(time))
        let bench = try BadInputBench(store: cache.store, time: time)
        respond(to: bench, after: .seconds(1)) { _ in HTTPResponse(status: 500) }
        respond(to: bench, after: .seconds(3)) { Self.tokens(at: $0) }

        let result = try await bench.renew()

        // Half a second passes before the retry.
        #expect(result.networkDuration == .milliseconds(4500))
        #expect(result.storeDuration >= .seconds(1))
        #expect(result.totalDuration == result.networkDuration + result.storeDuration)
    }

    @Test func `a token from memory has no durations`() async throws {
        let bench = try BadInputBench()
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        _ = try await bench.application.acquireTokenSilent(with: parameters)

        let result = try await bench.application.acquireTokenSilent(with: parameters)

        #expect([result.totalDuration, result.networkDuration, result.storeDuration] == [.zero, .zero, .zero])
    }

    @Test(arguments: [HTTPResponse(status: 400, body: Data(#"{"error":"invalid_scope"}"#.utf8)), nil])
    func `the user information of an error has the durations of its call`(_ refusal: HTTPResponse?) async throws {
        let bench = try BadInputBench()
        respond(to: bench, after: .seconds(2)) { _ throws(TransportError) in
            guard let refusal else { throw TransportError(.tlsHandshake, message: "No TLS.") }
            return refusal
        }

        let error = try await bench.failure { try await bench.renew() }

        #expect(error.domain == (refusal == nil ? NSURLErrorDomain : MSALErrorDomain))
        let durations = error.userInfo[MSALDurationsKey] as? [String: Double]
        #expect(durations == ["total": 2, "network": 2, "store": 0])
    }

    @Test func `the time of the user counts for the call only`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let agent = StubAgent { authorization, session throws(AgentError) in
            time.advance(by: .seconds(60))
            throw AgentError(.canceled, message: "The user gave up.")
        }
        let bench = try BadInputBench(agent: agent, time: time)

        let error = try await bench.failure { try await bench.signIn() }

        let durations = error.userInfo[MSALDurationsKey] as? [String: Double]
        #expect(durations == ["total": 60, "network": 0, "store": 0])
    }

    @Test func `a call that joins a request counts it from then on`() async throws {
        let bench = try BadInputBench()
        let client = try bench.application.client()
        let (time, gate) = (bench.time, OneShot<Void>())
        bench.service.append([
            .made { _ throws(TransportError) in
                await gate.value(ifCancelled: ())
                return Self.tokens(at: time.now)
            }
        ])
        // Expired, so that no call is forced: a forced one joins only later requests.
        time.advance(by: .seconds(3600))
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let silent = { @Sendable in
            try await bench.application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["user.read"], account: account)
            )
        }
        async let first = silent()
        try await until(bench.service.tokenRequests.count == 1)
        time.advance(by: .seconds(2))
        async let second = silent()
        try await until(client.refreshes.callers == 2)
        time.advance(by: .seconds(3))
        gate.settle(())

        let results = try await [first, second]

        #expect(results.map(\.totalDuration) == [.seconds(5), .seconds(3)])
        #expect(results.map(\.networkDuration) == [.seconds(5), .seconds(3)])
    }

    // MARK: Renewal before the expiry

    /// The outcomes of renewals before the expiry.
    private final class Outcomes: Sendable {
        private let all = Mutex<[Result<MSALResult, any Error>]>([])

        func add(_ outcome: Result<MSALResult, any Error>) { all.withLock { $0.append(outcome) } }
        var list: [Result<MSALResult, any Error>] { all.withLock { $0 } }
    }

    /// A machine whose token is due for renewal.
    private func benchWithDueToken(_ outcomes: Outcomes) async throws -> BadInputBench {
        let bench = try BadInputBench { $0.onBackgroundRefresh = { outcomes.add($0) } }
        respond(to: bench, after: .zero) {
            Self.tokens(at: $0, ["access_token": .string("old"), "refresh_in": .integer(1800)])
        }
        #expect(try await bench.renew().accessToken == "old")
        #expect(outcomes.list.isEmpty)
        bench.time.advance(by: .seconds(1801))
        return bench
    }

    private func silent(_ bench: BadInputBench) async throws -> MSALResult {
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        return try await bench.application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        )
    }

    @Test func `a renewal before the expiry reports its token`() async throws {
        let outcomes = Outcomes()
        let bench = try await benchWithDueToken(outcomes)
        respond(to: bench, after: .seconds(4)) { Self.tokens(at: $0, ["access_token": .string("new")]) }

        let result = try await silent(bench)
        _ = try await silent(bench)

        let reported = try #require(outcomes.list.first).get()
        #expect(outcomes.list.count == 1)
        #expect(reported.accessToken == "new" && reported.correlationId == result.correlationId)
        #expect(reported.networkDuration == .seconds(4))
    }

    @Test func `a failed renewal reports its error, and the call returns the old token`() async throws {
        let outcomes = Outcomes()
        let bench = try await benchWithDueToken(outcomes)
        respond(to: bench, after: .seconds(4)) { _ throws(TransportError) in
            throw TransportError(.tlsHandshake, message: "No TLS.")
        }

        let result = try await silent(bench)

        #expect(result.accessToken == "old" && result.networkDuration == .seconds(4))
        #expect(outcomes.list.count == 1)
        let error = try #require(throws: NSError.self) { _ = try outcomes.list.first?.get() }
        #expect(error.domain == NSURLErrorDomain)
        #expect(error.userInfo[MSALCorrelationIDKey] as? String == result.correlationId.uuidString)
        let durations = error.userInfo[MSALDurationsKey] as? [String: Double]
        #expect(durations?["network"] == 4)
    }

    @Test func `the renewal of an expired token is not reported`() async throws {
        let outcomes = Outcomes()
        let bench = try await benchWithDueToken(outcomes)
        bench.time.advance(by: .seconds(1800))
        respond(to: bench, after: .zero) { Self.tokens(at: $0) }

        _ = try await silent(bench)

        #expect(outcomes.list.isEmpty)
    }

    @Test func `a copy of the configuration reports renewals, too`() throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: Contoso.clientID)
        configuration.onBackgroundRefresh = { _ in }

        let copy = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)

        #expect(copy.onBackgroundRefresh != nil)
    }
}
