// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

/// A store whose key is unavailable: no second store, no new key, nothing changed
/// (docs/reference/Store.md#torture-keyring).
struct StoreWithoutKeyTests {
    private let folder: TemporaryDirectory
    private let keyring = FakeKeyring()
    private let location: StoreLocation

    init() throws {
        folder = try TemporaryDirectory()
        location = try StoreLocation(group: "test", environment: ["MSAL_STORE_DIR": folder.path])
    }

    @Test(
        arguments: [
            { $0.isLocked = true },
            { $0.items = [:] },
            {
                $0.hasCollection = false; $0.items = [:]
            },
            { $0.failures = ["SearchItems": [.hangUp]] },
            { $0.failures = ["GetSecret": [.error("org.freedesktop.DBus.Error.NoReply")]] },
        ] as [@Sendable (inout FakeKeyring.State) -> Void]
    )
    func `an existing store stays closed`(_ change: @Sendable (inout FakeKeyring.State) -> Void) throws {
        let bus = try keyring.bus()
        try store(bus, .automatic).prepare(KeyAccessOptions(), for: .writing)
        let files = try contents()
        keyring.change(change)
        let items = keyring.change { $0.items.count }

        for choice in [StoreKeyChoice.automatic, .location(.keyFile), .location(.none)] {
            for use in [StoreUse.reading, .writing] {
                let error = #expect(throws: StoreError.self) {
                    try store(bus, choice).prepare(KeyAccessOptions(), for: use)
                }
                #expect(error?.kind == .keyUnavailable)
            }
        }

        #expect(keyring.change { $0.items.count } == items)
        let after = try contents()
        #expect(after == files)
    }

    @Test func `a new store is not created if its key cannot be stored`() throws {
        keyring.change { $0.isLocked = true }
        let bus = try keyring.bus()

        let error = #expect(throws: StoreError.self) {
            try store(bus, .automatic).prepare(KeyAccessOptions(), for: .writing)
        }
        keyring.change { $0.isLocked = false }
        let later = store(bus, .automatic)
        try later.prepare(KeyAccessOptions(), for: .writing)

        #expect(error?.kind == .keyUnavailable)
        #expect(later.isPrepared)
        #expect(keyring.change { $0.items.count } == 1)
        let files = try contents()
        #expect(!files.contains("key"))
    }

    @Test func `an open store does not call the bus again`() throws {
        let bus = try keyring.bus()
        let store = store(bus, .automatic)
        try store.prepare(KeyAccessOptions(), for: .writing)
        let calls = keyring.change { $0.calls.count }

        try store.prepare(KeyAccessOptions(), for: .writing)
        _ = try store.changeCounter()
        _ = try store.read { (reading) throws(StoreError) in try reading.records(RecordFilter(.account)).count }
        try store.write(.normal) { (writing) throws(StoreError) in try writing.deleteAll() }

        #expect(keyring.change { $0.calls.count } == calls)
    }

    private func store(_ bus: FakeBus, _ choice: StoreKeyChoice) -> SQLiteStore {
        SQLiteStore(location: location, keys: StoreKeys(choice, environment: bus.environment))
    }

    /// The names in the store's directory, except SQLite's working files.
    private func contents() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: location.directory)
        return Set(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
    }
}
