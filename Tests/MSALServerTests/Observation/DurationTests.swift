// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALStoreConformance
import Synchronization
import TestSupport
import Testing

@testable import MSALServer

/// The durations of a call, in its result and in its error.
struct DurationTests {
    private let time = ManualTime(skipsSleeps: true)
    private let transport = ScriptedTransport()

    private func application(
        time: ManualTime? = nil,
        configure: (inout MSALConfidentialClientConfiguration) throws -> Void = { _ in }
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant("contoso.example"),
            credential: .secret("s~ecret")
        )
        try configure(&configuration)
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(time: time ?? self.time, transport: transport)
        )
    }

    private func token(
        of application: MSALConfidentialClientApplication,
        timeout: Duration? = nil
    ) async throws(MSALTokenError) -> MSALTokenResult {
        var options = MSALTokenOptions()
        options.timeout = timeout
        return try await application.acquireTokenForClient(
            scopes: ["https://graph.microsoft.com/.default"],
            options: options
        )
    }

    /// A response after `duration`.
    private func answer(_ body: String? = nil, status: Int = 200, after duration: Duration) {
        let token = #"{"access_token":"at-1","token_type":"Bearer","expires_in":7200,"refresh_in":3600}"#
        transport.append(
            ScriptedTransport.Response("\(status)") { [time] _ throws(TransportError) in
                time.advance(by: duration)
                return HTTPResponse(status: status, body: Data((body ?? token).utf8))
            }
        )
    }

    /// A response after `gate` has opened.
    private func answer(behind gate: Gate) {
        transport.append(
            ScriptedTransport.Response("gate") { _ throws(TransportError) in
                await gate.wait()
                return HTTPResponse(
                    status: 200,
                    body: Data(#"{"access_token":"at-1","token_type":"Bearer","expires_in":7200}"#.utf8)
                )
            }
        )
    }

    private func shared(
        _ store: FaultyStore,
        writesThrough: Bool
    ) throws -> MSALTokenCache {
        var shared = try MSALSharedCacheConfiguration(store, keys: [.example()])
        shared.shares = [.application]
        shared.writesThrough = writesThrough
        shared.time = ManualTime()
        return MSALTokenCache(shared: shared)
    }

    @Test func `a result has the time of the call, of the network with its retries, and of the store`() async throws {
        let store = FaultyStore(MSALMemoryStore(prefix: "msal:1:"))
        store.beforeNextWrite { [time] in time.advance(by: .seconds(2)) }
        let application = try application { $0.cache = try shared(store, writesThrough: true) }
        answer("", status: 500, after: .seconds(1))
        answer(after: .seconds(3))

        let result = try await token(of: application)

        #expect(result.networkDuration == .milliseconds(4500))
        #expect(result.storeDuration == .seconds(2))
        #expect(result.totalDuration == .milliseconds(6500))
    }

    @Test func `a write in the background of a call does not count`() async throws {
        let store = FaultyStore(MSALMemoryStore(prefix: "msal:1:"))
        let gate = Gate()
        store.beforeNextWrite { await gate.wait() }
        let application = try application { $0.cache = try shared(store, writesThrough: false) }
        answer(after: .seconds(3))

        let result = try await token(of: application)
        gate.open()

        #expect(result.totalDuration == .seconds(3))
        #expect(result.storeDuration == .zero)
    }

    @Test func `a token from the memory has no durations`() async throws {
        let application = try application()
        answer(after: .seconds(3))
        _ = try await token(of: application)

        let result = try await token(of: application)

        #expect(result.source == .cache)
        #expect([result.totalDuration, result.networkDuration, result.storeDuration] == [.zero, .zero, .zero])
    }

    @Test func `the user information of an error has the durations of its call`() async throws {
        let application = try application()
        answer(#"{"error":"invalid_client"}"#, status: 401, after: .seconds(3))

        let error = try await failure { () async throws(MSALTokenError) in try await token(of: application) }

        #expect(error.kind == .invalidClient)
        #expect(error.oauthError == "invalid_client")
        let durations = error.userInfo["MSALDurationsKey"] as? [String: Double]
        #expect(durations == ["total": 3, "network": 3, "store": 0])
    }

    @Test func `a call that joins a request counts it from then on`() async throws {
        let application = try application()
        let gate = Gate()
        answer(behind: gate)
        let flights = application.configuration.cache.appTokens.flights
        async let first = token(of: application)
        try await until(transport.messages.count == 1)
        time.advance(by: .seconds(2))
        async let second = token(of: application)
        try await until(flights.callers == 2)
        time.advance(by: .seconds(3))
        gate.open()

        let results = try await [first, second]

        #expect(results.map(\.totalDuration) == [.seconds(5), .seconds(3)])
        #expect(results.map(\.networkDuration) == [.seconds(5), .seconds(3)])
    }

    @Test func `a call that times out counts a request that others still wait for`() async throws {
        let time = ManualTime()
        let application = try application(time: time)
        let gate = Gate()
        answer(behind: gate)
        let flights = application.configuration.cache.appTokens.flights
        async let other = token(of: application)
        try await until(transport.messages.count == 1)
        async let error = failure { () async throws(MSALTokenError) in
            try await token(of: application, timeout: .seconds(5))
        }
        try await until(flights.callers == 2)
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(5))

        let durations = try await error.userInfo["MSALDurationsKey"] as? [String: Double]
        gate.open()

        #expect(durations == ["total": 5, "network": 5, "store": 0])
        #expect(try await other.networkDuration == .seconds(5))
    }

    @Test func `a chain counts the search that another call began`() async throws {
        let gate = Gate()
        let credential = FakeCredential("one", asked: Questions(), outcome: .success("at-1"), gate: gate)
        let chain = try MSALChainedCredential(
            [.credential(credential)],
            environment: .double(time: time, transport: transport)
        )
        let request = MSALTokenRequest(scopes: ["https://graph.microsoft.com/.default"])
        async let first = chain.token(for: request)
        try await until(chain.callers == 1)
        time.advance(by: .seconds(2))
        async let second = chain.token(for: request)
        try await until(chain.callers == 2)
        time.advance(by: .seconds(3))
        gate.open()

        #expect(try await [first, second].map(\.totalDuration) == [.seconds(5), .seconds(3)])
    }
}
