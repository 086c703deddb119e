// Licensed under the MIT License. See LICENSE.
import MSALPostgresStore
import MSALServer
import PostgresNIO
import Synchronization
import TestEngines
import Testing

/// A second server that follows the first one and can replace it.
struct StandbyTests {
    let name = MSALStoreName.named("token")

    func write(_ store: MSALPostgresStore, _ value: [UInt8] = [1]) async throws -> Bool {
        try await store.write(value, to: name, expiresIn: .seconds(600), if: .always, lease: nil)
    }

    /// Returns when the standby has all that the primary has written.
    private func follow(_ primary: PostgresServer, to standby: PostgresServer) async throws {
        let place = try await primary.ask("SELECT pg_current_wal_lsn()")
        while try await standby.ask("SELECT pg_last_wal_replay_lsn() >= '\(place)'") != "t" {}
    }

    @Test func `a standby serves reads, and everything when the primary is lost`() async throws {
        let primary = try await PostgresServer()
        let standby = try await primary.standby()
        try await withClient(primary.client()) { first in
            try await withClient(standby.client()) { second in
                let current = Mutex(first)
                let store = MSALPostgresStore(current: { current.withLock { $0 } })
                let reader = MSALPostgresStore(second)
                try await store.createTable()
                #expect(try await write(store))
                let lease = try #require(try await store.lease(on: name, for: .seconds(60)))
                try await store.release(lease)
                try await follow(primary, to: standby)

                #expect(try await reader.read([name])[0]?.value == [1])
                #expect(await code { _ = try await write(reader) } == "25006")
                #expect(await code { _ = try await reader.lease(on: name, for: .seconds(60)) } == "25006")

                primary.engine.kill()
                try await standby.ask("SELECT pg_promote()")
                current.withLock { $0 = second }

                #expect(try await store.read([name])[0]?.value == [1])
                #expect(try await write(store, [2]))
                #expect(try await store.read([name])[0]?.value == [2])
                let next = try #require(try await store.lease(on: name, for: .seconds(60)))
                #expect(next.number > lease.number)
            }
        }
        standby.engine.kill()
    }

    @Test func `a standby does not have an unlogged table`() async throws {
        let primary = try await PostgresServer()
        try await primary.ask(MSALPostgresStore.migration + "ALTER TABLE msal_token SET UNLOGGED")
        let standby = try await primary.standby()
        try await withClient(standby.client()) { client in
            #expect(await code { _ = try await MSALPostgresStore(client).read([name]) } == "0A000")
        }
        standby.engine.kill()
        primary.engine.kill()
    }
}
