// Licensed under the MIT License. See LICENSE.

import MSALServer
import MSALStoreConformance
import Testing

/// The guarantees of a store, tested with the one in memory and with one that was written from the page only.
struct StorePromisesTests {
    @Test(arguments: MSALStoreConformance.allChecks)
    func `the store in memory passes the checks`(_ check: MSALStoreConformance.Check) async throws {
        let store = MSALMemoryStore()
        try await MSALStoreConformance(store, time: .moved { store.advance(by: $0) }).run(check)
    }

    @Test(arguments: MSALStoreConformance.allChecks)
    func `a store written from the page passes the checks`(_ check: MSALStoreConformance.Check) async throws {
        let store = ShelfStore()
        try await MSALStoreConformance(store, time: .moved { await store.advance(by: $0) }).run(check)
    }

    @Test(arguments: ForgetfulStore.Fault.allCases)
    func `a store that violates a guarantee is detected`(_ fault: ForgetfulStore.Fault) async throws {
        let store = MSALMemoryStore()
        let conformance = MSALStoreConformance(
            ForgetfulStore(store: store, fault: fault),
            time: .moved { store.advance(by: $0) }
        )
        var broken: [String] = []
        for check in MSALStoreConformance.allChecks {
            do {
                try await conformance.run(check)
            } catch is MSALStoreViolation {
                broken.append(check.description)
            }
        }

        #expect(!broken.isEmpty)
        #expect(broken.count < MSALStoreConformance.allChecks.count)
    }

    @Test func `hours do not pass for an engine`() async throws {
        let check = try #require(MSALStoreConformance.allChecks.first { $0.needsMovedTime })

        #expect(!MSALStoreConformance.checks.contains { $0.needsMovedTime })
        await #expect(throws: MSALStoreViolation.self) {
            try await MSALStoreConformance(MSALMemoryStore(), time: .real).run(check)
        }
    }
}

/// A store that violates one guarantee.
struct ForgetfulStore: MSALDistributedTokenStore {
    enum Fault: CaseIterable {
        case order, conditions, ends, leases, wholePartition, oneName, leaseNumbers, lateWriters
    }

    let store: MSALMemoryStore
    let fault: Fault

    private struct Lease: MSALStoreLease {
        let name: MSALStoreName
        let number: UInt64
    }

    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        let entries = try await store.read(names)
        return fault == .order ? entries.reversed() : entries
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        try await store.write(
            value,
            to: name,
            expiresIn: fault == .ends ? .seconds(1_000_000_000) : expiresIn,
            if: fault == .conditions ? .always : condition,
            lease: fault == .lateWriters ? nil : lease
        )
    }

    func remove(_ names: [MSALStoreName]) async throws {
        try await store.remove(fault == .oneName ? Array(names.prefix(1)) : names)
    }

    func removeAll(in partition: MSALStorePartition) async throws {
        if fault != .wholePartition { try await store.removeAll(in: partition) }
    }

    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        switch fault {
        case .leases: Lease(name: name, number: 1)
        case .leaseNumbers: try await store.lease(on: name, for: duration).map { Lease(name: $0.name, number: 1) }
        case .order, .conditions, .ends, .wholePartition, .oneName, .lateWriters:
            try await store.lease(on: name, for: duration)
        }
    }

    func release(_ lease: any MSALStoreLease) async throws { try await store.release(lease) }
}
