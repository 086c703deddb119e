// Licensed under the MIT License. See LICENSE.

private import MSALBase
private import Synchronization

/// Tells the service, in two headers of each token request, why it was asked and how earlier calls ended
/// (docs/reference/Protocol.md#telemetry).
///
/// The headers have numbers, correlation IDs and names of errors, and nothing of the user. The counts are kept in
/// memory only.
package final class ServerTelemetry: Sendable {
    /// The call of the app that makes a request. Its number is that of MSAL for iOS.
    package enum Call: Int, Sendable {
        case silent = 34
        case interactive = 167
    }

    /// The report of one request. It is cleared once the service has received it.
    struct Report: Sendable, Equatable {
        fileprivate let silentSuccesses: Int
        fileprivate let failures: Set<UUID>
        /// The header's value.
        let text: String
    }

    private struct Failure {
        let id: UUID
        /// The call and its correlation ID.
        let request: String
        let error: String
    }

    private struct State {
        /// The number of successes that were reported to the service.
        var reportedSuccesses = 0
        /// The failures not yet reported to the service. The newest is the last.
        var failures: [Failure] = []
    }

    private let state = Mutex(State())
    /// The number of all successes. Each thread counts its own.
    private let successes = Striped { Atomic(0) }

    private static let schema = "4"
    private static let maximumFailures = 75
    private static let maximumBytes = 350

    package init() {}

    /// Counts a call that the store served without a request.
    package func noteSilentSuccess() {
        successes.withOwn { count in _ = count.wrappingAdd(1, ordering: .relaxed) }
    }

    private var successCount: Int {
        var sum = 0
        successes.forEach { sum &+= $0.load(ordering: .relaxed) }
        return sum
    }

    /// Remembers a call that failed.
    ///
    /// `error`: The service's name of the error, or the domain and code of a local one.
    package func note(failure error: String, of call: Call, correlationID: UUID?) {
        let request = "\(call.rawValue),\(correlationID?.uuidString ?? "")"
        // The service's error text is sent back to it in a header, so only the characters of an error's name are kept.
        let name = error.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(64)
        state.withLock { state in
            state.failures.append(Failure(id: UUID(), request: request, error: String(name)))
            state.failures.removeFirst(max(0, state.failures.count - Self.maximumFailures))
        }
    }

    /// The value of `x-client-current-telemetry`: the call that makes this request, and its reason; `nil` if no call of
    /// the app makes it.
    static func current(_ source: TokenSource) -> String? {
        switch source {
        case .browser, .deviceCode: current(call: Call.interactive.rawValue, operation: 0)
        case .refresh(let reason): current(call: Call.silent.rawValue, operation: refreshType(reason))
        case .native, .broker, .cache, .cacheAfterFailedRefresh: nil
        }
    }

    /// The value of `x-client-current-telemetry` for an interface with numbers of its own.
    static func current(call: Int, operation: Int) -> String { "\(schema)|\(call),\(operation)|" }

    /// The value of `x-client-last-telemetry`: how earlier calls ended, the newest failures first, as many as fit.
    func last() -> Report {
        state.withLock { state in
            let silentSuccesses = successCount &- state.reportedSuccesses
            var requests: [String] = []
            var errors: [String] = []
            var reported: Set<UUID> = []
            func text() -> String {
                "\(Self.schema)|\(silentSuccesses)|\(requests.joined(separator: ","))|"
                    + "\(errors.joined(separator: ","))|"
            }
            for failure in state.failures.reversed() {
                let added = failure.request.utf8.count + failure.error.utf8.count + 2
                guard text().utf8.count + added <= Self.maximumBytes else { break }
                requests.append(failure.request)
                errors.append(failure.error)
                reported.insert(failure.id)
            }
            return Report(silentSuccesses: silentSuccesses, failures: reported, text: text())
        }
    }

    /// Clears what was reported to the service. Call it when a request that carried `report` succeeded.
    func forget(_ report: Report) {
        state.withLock { state in
            let unknown = successCount &- state.reportedSuccesses
            state.reportedSuccesses &+= min(report.silentSuccesses, unknown)
            state.failures.removeAll { report.failures.contains($0.id) }
        }
    }

    private static func refreshType(_ reason: RefreshReason) -> Int {
        switch reason {
        case .forced, .claimsRequested: 1
        case .noAccessToken: 2
        case .accessTokenExpired: 3
        case .refreshDue: 4
        }
    }
}
