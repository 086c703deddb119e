// Licensed under the MIT License. See LICENSE.

public import MSALServer

/// Checks that a store keeps the promises of `MSALDistributedTokenStore`.
///
/// It needs no test framework:
///
/// ```swift
/// let conformance = MSALStoreConformance(store, time: .real)
/// for check in MSALStoreConformance.checks { try await conformance.run(check) }
/// ```
///
/// With Swift Testing, the checks are the arguments of one test, which then names the promise that the store breaks.
///
/// Each check uses names of its own, so that all may run at once, and in a store with other values.
public struct MSALStoreConformance: Sendable {
    /// The way in which time passes for the store.
    public enum Time: Sendable {
        /// The test moves the store's clock.
        case moved(@Sendable (Duration) async throws -> Void)
        /// The store has the clock of an engine, and the checks wait some seconds.
        case real
    }

    /// A promise that every store has to keep, with the check of it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise as a sentence.
        public let description: String
        /// Whether hours pass in it, so that only a store whose clock can be moved is checked.
        public let needsMovedTime: Bool

        let body: @Sendable (StoreBench) async throws -> Void

        init(
            _ description: String,
            needsMovedTime: Bool = false,
            body: @escaping @Sendable (StoreBench) async throws -> Void
        ) {
            self.description = description
            self.needsMovedTime = needsMovedTime
            self.body = body
        }
    }

    /// All checks that need no moved time.
    public static let checks = allChecks.filter { !$0.needsMovedTime }

    /// All checks, for a store whose clock can be moved.
    public static let allChecks = reading + writing + conditions + removing + ends + leases

    private let bench: StoreBench

    /// Checks for a store.
    public init(_ store: any MSALDistributedTokenStore, time: Time) {
        bench = StoreBench(store: store, time: time)
    }

    /// Makes one check.
    ///
    /// - Throws: ``MSALStoreViolation`` if the store breaks the promise; the store's own error if it fails;
    ///   `CancellationError` if the task is cancelled while time passes.
    public func run(_ check: Check) async throws {
        if case .real = bench.time, check.needsMovedTime {
            throw MSALStoreViolation(
                "This check needs a store whose clock can be moved. Leave it out: use checks, not allChecks."
            )
        }
        try await check.body(bench)
    }
}

/// A promise that a store breaks.
public struct MSALStoreViolation: Error, CustomStringConvertible {
    /// The result that was expected, and the one that came.
    public let description: String

    init(_ description: String) { self.description = description }
}
