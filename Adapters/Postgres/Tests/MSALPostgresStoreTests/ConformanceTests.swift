// Licensed under the MIT License. See LICENSE.
import MSALPostgresStore
import MSALStoreConformance
import Testing

/// The requirements on every store.
struct ConformanceTests {
    @Test func `the store conforms to its protocol in the server's time`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            for check in MSALStoreConformance.checks {
                await record(check) { try await MSALStoreConformance(store, time: .real).run(check) }
            }
        }
    }

    @Test func `the store conforms to its protocol over weeks`() async throws {
        let server = try await PostgresServer()
        let moved = MSALStoreConformance.Time.moved { duration in
            let passed = Int(duration / .milliseconds(1))
            try await server.ask("UPDATE msal_token SET expires_at = expires_at - \(passed) * interval '1 millisecond'")
        }
        try await server.withStore { store in
            for check in MSALStoreConformance.allChecks {
                await record(check) { try await MSALStoreConformance(store, time: moved).run(check) }
            }
        }
    }

    private func record(_ check: MSALStoreConformance.Check, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            Issue.record("\(check): \(String(reflecting: error))")
        }
    }
}
