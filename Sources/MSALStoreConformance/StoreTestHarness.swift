// Licensed under the MIT License. See LICENSE.

import MSALServer

/// The store under test, with the operations that the checks use.
struct StoreTestHarness: Sendable {
    let store: any MSALDistributedTokenStore
    let time: MSALStoreConformance.Time

    /// Long enough for a check.
    static let long = Duration.seconds(600)
    /// The shortest lifetime that the library requests for a value.
    static let short = Duration.seconds(1)

    /// 22 letters that no other check uses.
    private static func letters() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<22).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    func partition() -> MSALStorePartition { MSALStorePartition(Self.letters()) }

    func name(in partition: MSALStorePartition? = nil) -> MSALStoreName {
        MSALStoreName(Self.letters(), in: partition ?? self.partition())
    }

    func names(_ count: Int, in partition: MSALStorePartition? = nil) -> [MSALStoreName] {
        (0..<count).map { _ in name(in: partition) }
    }

    func read(_ name: MSALStoreName) async throws -> MSALStoreEntry? {
        let entries = try await store.read([name])
        try expect(entries.count == 1, else: "One name was read, and \(entries.count) entries were returned.")
        return entries[0]
    }

    func value(of name: MSALStoreName) async throws -> [UInt8]? { try await read(name)?.value }

    /// The entry of a name that must have one.
    func entry(_ name: MSALStoreName) async throws -> MSALStoreEntry {
        guard let entry = try await read(name) else { throw MSALStoreViolation("A value that was written is absent.") }
        return entry
    }

    @discardableResult
    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration = StoreTestHarness.long,
        if condition: MSALWriteCondition = .always,
        lease: (any MSALStoreLease)? = nil
    ) async throws -> Bool {
        try await store.write(value, to: name, expiresIn: expiresIn, if: condition, lease: lease)
    }

    /// The lease on a name that no other holder has.
    func lease(
        on name: MSALStoreName,
        for duration: Duration = StoreTestHarness.long
    ) async throws -> any MSALStoreLease {
        guard let lease = try await store.lease(on: name, for: duration) else {
            throw MSALStoreViolation("A free lease was refused.")
        }
        return lease
    }

    /// Lets time pass for the store. In real time, waits a little longer because an engine may be late.
    func pass(_ duration: Duration) async throws {
        switch time {
        case .moved(let move): try await move(duration)
        case .real: try await Task.sleep(for: duration + .milliseconds(300))
        }
    }

    func expect(_ condition: Bool, else message: @autoclosure () -> String) throws {
        guard condition else { throw MSALStoreViolation(message()) }
    }

    func expectValue(_ expected: [UInt8], of name: MSALStoreName) async throws {
        let value = try await value(of: name)
        try expect(value == expected, else: "\(value as Any) was read.")
    }

    /// Compares the values of some names, which are read in one call.
    func expectValues(_ expected: [[UInt8]?], of names: [MSALStoreName]) async throws {
        let values = try await store.read(names).map { $0?.value }
        try expect(values == expected, else: "\(values) were read.")
    }

    /// Runs `body` many times concurrently, and returns how often it was true.
    func concurrently(_ count: Int = 20, run body: @escaping @Sendable (Int) async throws -> Bool) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
