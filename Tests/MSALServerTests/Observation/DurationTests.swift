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

    // MARK: Background refresh

    /// The outcomes of background refreshes.
    private final class Outcomes: Sendable {
        private let all = Mutex<[Result<MSALTokenResult, MSALTokenError>]>([])

        func add(_ outcome: Result<MSALTokenResult, MSALTokenError>) { all.withLock { $0.append(outcome) } }
        var list: [Result<MSALTokenResult, MSALTokenError>] { all.withLock { $0 } }
    }

    @Test func `a background refresh reports its token, and the next failure its error`() async throws {
        let outcomes = Outcomes()
        let failures = Mutex<[MSALTokenError.Kind]>([])
        let application = try application {
            $0.onBackgroundRefresh = { outcomes.add($0) }
            $0.onBackgroundFailure = { error in failures.withLock { $0.append(error.kind) } }
        }
        answer(after: .seconds(1))
        _ = try await token(of: application)
        time.advance(by: .seconds(3600))
        answer(
            #"{"access_token":"at-2","token_type":"Bearer","expires_in":7200,"refresh_in":3600}"#,
            after: .seconds(4)
        )
        _ = try await token(of: application)
        try await until(outcomes.list.count == 1)

        let success = try outcomes.list[0].get()
        #expect(success.accessToken == "at-2")
        #expect(success.source == .service && success.reason == nil)
        #expect(success.totalDuration == .seconds(4) && success.networkDuration == .seconds(4))
        #expect(failures.withLock { $0 }.isEmpty)

        time.advance(by: .seconds(3600))
        answer(#"{"error":"invalid_client"}"#, status: 401, after: .seconds(2))
        let old = try await token(of: application)
        try await until(outcomes.list.count == 2)

        let error = try await failure { () async throws(MSALTokenError) in try outcomes.list[1].get() }
        #expect(old.accessToken == "at-2")
        #expect(error.kind == .invalidClient && failures.withLock { $0 } == [.invalidClient])
        let durations = error.userInfo["MSALDurationsKey"] as? [String: Double]
        #expect(durations == ["total": 2, "network": 2, "store": 0])
    }

    @Test func `a managed identity reports a background refresh`() async throws {
        let machine = MachineDouble()
        let outcomes = Outcomes()
        var options = MSALCredentialOptions()
        options.onBackgroundRefresh = { outcomes.add($0) }
        let application = MSALManagedIdentityApplication(options: options, environment: machine.environment)
        for token in ["at-1", "at-2"] {
            machine.transport.append(.json(#"{"access_token":"\#(token)","expires_in":"86400"}"#))
        }
        _ = try await application.acquireToken(resource: "https://vault.azure.net")
        machine.time.advance(by: .seconds(43_201))

        _ = try await application.acquireToken(resource: "https://vault.azure.net")
        try await until(outcomes.list.count == 1)

        #expect(try outcomes.list[0].get().accessToken == "at-2")
    }

    @Test func `a user's background refresh reports the user's token`() async throws {
        let outcomes = Outcomes()
        let story = try WebAppStory { $0.onBackgroundRefresh = { outcomes.add($0) } }
        let signedIn = try await story.signIn(changes: ["refresh_in": .integer(1800)])
        story.time.advance(by: .seconds(1800))
        story.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))

        _ = try await story.silent()
        try await until(outcomes.list.count == 1)

        let result = try outcomes.list[0].get()
        #expect(result.accessToken == "at-2")
        #expect(result.homeAccountIdentifier == signedIn.homeAccountIdentifier)
    }

    @Test func `a refresh that another instance made is reported as cached`() async throws {
        let store = MSALMemoryStore(prefix: "msal:1:")
        let outcomes = Outcomes()
        func instance() throws -> MSALConfidentialClientApplication {
            try application {
                $0.cache = try shared(FaultyStore(store), writesThrough: true)
                $0.onBackgroundRefresh = { outcomes.add($0) }
            }
        }
        let (first, second) = (try instance(), try instance())
        answer(after: .seconds(1))
        for application in [first, second] { _ = try await token(of: application) }
        time.advance(by: .seconds(3600))
        store.advance(by: .seconds(3600))
        answer(#"{"access_token":"at-2","token_type":"Bearer","expires_in":7200}"#, after: .seconds(1))

        _ = try await token(of: first)
        try await until(outcomes.list.count == 1)
        _ = try await token(of: second)
        try await until(outcomes.list.count == 2)

        let results = try outcomes.list.map { try $0.get() }
        #expect(results.map(\.accessToken) == ["at-2", "at-2"])
        #expect(results.map(\.source) == [.service, .cache])
        try transport.verify()
    }
}
