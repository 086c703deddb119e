// Licensed under the MIT License. See LICENSE.

public import MSALServer

/// Checks that a store meets the requirements of `MSALDistributedTokenStore`.
///
/// It needs no test framework:
///
/// ```swift
/// let conformance = MSALStoreConformance(store, time: .real)
/// for check in MSALStoreConformance.checks { try await conformance.run(check) }
/// ```
///
/// With Swift Testing, pass the checks as arguments of one test, which then names the requirement that the store
/// violates.
///
/// Each check uses its own names, so that all may run concurrently, and in a store with other values.
public struct MSALStoreConformance: Sendable {
    /// How time passes for the store.
    public enum Time: Sendable {
        /// The test advances the store's clock.
        case moved(@Sendable (Duration) async throws -> Void)
        /// The store has the clock of an engine, and the checks wait some seconds.
        case real
    }

    /// A requirement for every store, with its check.
    public struct Check: Sendable, CustomStringConvertible {
        /// The requirement as a sentence.
        public let description: String
        /// Whether the check spans hours, so that it requires a store whose clock can be advanced.
        public let needsMovedTime: Bool

        let body: @Sendable (StoreTestHarness) async throws -> Void

        init(
            _ description: String,
            needsMovedTime: Bool = false,
            body: @escaping @Sendable (StoreTestHarness) async throws -> Void
        ) {
            self.description = description
            self.needsMovedTime = needsMovedTime
            self.body = body
        }
    }

    /// All checks that do not require an adjustable clock.
    public static let checks = allChecks.filter { !$0.needsMovedTime }

    /// All checks, for a store whose clock can be advanced.
    public static let allChecks = reading + writing + conditions + removing + ends + leases

    private let bench: StoreTestHarness

    /// Creates the checks for a store.
    public init(_ store: any MSALDistributedTokenStore, time: Time) {
        bench = StoreTestHarness(store: store, time: time)
    }

    /// Runs one check.
    ///
    /// - Throws: ``MSALStoreViolation`` if the store violates the requirement; the store's own error if it fails;
    ///   `CancellationError` if the task is canceled while time passes.
    public func run(_ check: Check) async throws {
        if case .real = bench.time, check.needsMovedTime {
            throw MSALStoreViolation(
                "This check requires a store whose clock can be advanced. Use checks instead of allChecks."
            )
        }
        try await check.body(bench)
    }
}

/// A requirement that a store violates.
public struct MSALStoreViolation: Error, CustomStringConvertible {
    /// The actual result, and where it helps the expected one.
    public let description: String

    init(_ description: String) { self.description = description }
}
