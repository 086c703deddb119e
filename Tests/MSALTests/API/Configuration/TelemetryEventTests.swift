// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

/// What the telemetry callback of the process receives about token requests.
@Suite(.serialized)
struct TelemetryEventTests {
    private let config = MSALGlobalConfig.telemetryConfig
    private let id = UUID()

    @Test func `each finished request causes one event`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let events = try await events {
            try await signIn(bench)
            try await renew(bench)
            try await renew(bench, account: nil)
        }

        #expect(events.map { $0["api"] } == ["acquireToken", "acquireTokenSilent", "acquireTokenSilent"])
        #expect(events.map { $0["is_successful"] } == ["yes", "yes", "no"])
        #expect(events.map { $0["token_source"] } == ["browser", "cache", nil])
        #expect(events.map { $0["error_domain"] } == [nil, nil, MSALErrorDomain])
        #expect(events.map { $0["error_code"] } == [nil, nil, "\(MSALError.interactionRequired.rawValue)"])
        for event in events { #expect(event["response_time"].flatMap { Int($0) } != nil) }
    }

    @Test func `no event contains a secret, or a user unless the app asks for it`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let silent = try await events { try await signIn(bench) }
        config.piiEnabled = true
        defer { config.piiEnabled = false }
        let telling = try await events { try await signIn(bench) }

        #expect(silent.map { $0["user_id"] } == [nil])
        #expect(telling.map { $0["user_id"] } == [Contoso.homeAccountID])
        for (_, value) in (silent + telling).joined() { #expect(!Contoso.secrets.contains(value)) }
    }

    @Test func `successes are omitted if the app asks for failures only`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()
        config.notifyOnFailureOnly = true
        defer { config.notifyOnFailureOnly = false }

        let events = try await events {
            try await signIn(bench)
            try await renew(bench, account: nil)
        }

        #expect(events.map { $0["is_successful"] } == ["no"])
    }

    /// The events of the requests in `body`, distinguished from those of other tests by their correlation IDs.
    private func events(_ body: () async throws -> Void) async throws -> [[String: String]] {
        let id = id.uuidString
        let received = Mutex<[[String: String]]>([])
        config.telemetryCallback = { event in
            if event["correlation_id"] == id { received.withLock { $0.append(event) } }
        }
        defer { config.telemetryCallback = nil }
        try await body()
        config.flush()
        return received.withLock { $0 }
    }

    private func signIn(_ bench: BadInputBench) async throws {
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        parameters.correlationId = id
        _ = try await bench.application.acquireToken(with: parameters)
    }

    /// Requests a stored token. If `account` is `nil`, requests one of an unknown account, which fails.
    private func renew(_ bench: BadInputBench, account: String? = Contoso.homeAccountID) async throws {
        let account = try account.map { try bench.application.account(forIdentifier: $0) }
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        parameters.correlationId = id
        do {
            _ = try await bench.application.acquireTokenSilent(with: parameters)
        } catch {
            #expect(account == nil)
        }
    }
}
