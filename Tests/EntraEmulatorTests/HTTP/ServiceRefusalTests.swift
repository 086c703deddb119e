// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// A token endpoint that refuses on request what deserves no refusal.
struct ServiceRefusalTests {
    private static let path = "/\(Bench.tenant)/oauth2/v2.0/token"
    private static let service = Seed().serviceClientID

    private func ask(
        _ bench: Bench,
        tenant: String = Bench.tenant,
        scope: String = "https://graph.microsoft.com/.default"
    ) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/\(tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "client_credentials", "client_id": Self.service,
                "client_secret": bench.emulator.seed.serviceSecret, "scope": scope,
            ]
        )
    }

    @Test(arguments: ServiceRefusal.allCases)
    func `the endpoint returns the service's error, once`(refusal: ServiceRefusal) async throws {
        try await Bench.run { bench in
            bench.emulator.enqueueFault(Fault(refusal: refusal))
            let refused = try await ask(bench)
            let granted = try await ask(bench)
            let body = try refused.json()

            #expect(refused.status >= 400)
            #expect(body["error_codes"] as? [Int] == [refusal.rawValue])
            #expect((body["error_description"] as? String)?.hasPrefix("AADSTS\(refusal.rawValue): ") == true)
            for member in ["error", "timestamp", "trace_id", "correlation_id", "error_uri"] {
                #expect((body[member] as? String)?.isEmpty == false, "\(member)")
            }
            #expect(bench.emulator.journal.first?.refusal?.number == refusal.rawValue)
            #expect(granted.status == 200)
        }
    }

    @Test func `a configured error may apply to one client and tenant, and persist`() async throws {
        try await Bench.run { bench in
            let emulator = bench.emulator
            emulator.enqueueFault(Fault(refusal: .wrongSecret, clientID: "somebody-else", count: Fault.always))
            emulator.enqueueFault(Fault(refusal: .wrongSecret, tenant: "fabrikam.example", count: Fault.always))
            let unaffected = try await ask(bench)
            emulator.enqueueFault(
                Fault(
                    refusal: .expiredSecret,
                    clientID: Self.service.uppercased(),
                    tenant: "contoso.example",
                    count: Fault.always
                )
            )
            let first = try await ask(bench)
            let second = try await ask(bench, tenant: "contoso.example")
            try await emulator.reset()
            let last = try await ask(bench)

            #expect(unaffected.status == 200)
            #expect(try first.errorCode() == 7_000_222)
            #expect(try second.errorCode() == 7_000_222)
            #expect(last.status == 200)
        }
    }

    @Test func `a refusal comes with claims, another status and more header fields`() async throws {
        try await Bench.run { bench in
            bench.emulator.enqueueFault(Fault(refusal: .tenantThrottled, retryAfter: 7))
            var gone = Fault(refusal: .temporarilyUnavailable)
            gone.status = 504
            bench.emulator.enqueueFault(gone)
            bench.emulator.enqueueFault(Fault(refusal: .secondFactorRequired, claims: #"{"access_token":{}}"#))
            bench.emulator.enqueueFault(Fault(refusal: .secondFactorRequired))
            let throttled = try await ask(bench)
            let unavailable = try await ask(bench)
            let challenged = try await ask(bench).json()
            let example = try await ask(bench).json()

            #expect(throttled.status == 429)
            #expect(throttled.headers.first(name: "retry-after") == "7")
            #expect(unavailable.status == 504)
            #expect(challenged["claims"] as? String == #"{"access_token":{}}"#)
            #expect(challenged["suberror"] as? String == "basic_action")
            #expect((example["claims"] as? String)?.contains("capolids") == true)
        }
    }

    @Test func `the control API takes a refusal`() async throws {
        try await Bench.run {
            $0.controlPort = 0
        } _: { bench in
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let added = try await bench.send(
                .POST,
                to: "\(control)/faults",
                headers: ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"],
                body: """
                    {"pathSuffix": "/token", "refusal": 90055, "headers": {"Retry-After": "5"}, "tenant": "contoso.example",
                    "clientId": "\(Self.service)", "always": true}
                    """
            )
            let first = try await ask(bench)
            let second = try await ask(bench)
            let cleared = try await bench.send(
                .DELETE,
                to: "\(control)/faults",
                headers: ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"]
            )
            let last = try await ask(bench)

            #expect(added.status == 201)
            #expect(cleared.status == 200)
            #expect(last.status == 200)
            #expect(first.status == 429)
            #expect(first.headers.first(name: "retry-after") == "5")
            #expect(try second.errorCode() == 90_055)
        }
    }
}
