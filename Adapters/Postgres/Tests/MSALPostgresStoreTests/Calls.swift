// Licensed under the MIT License. See LICENSE.
import PostgresNIO
import Synchronization

/// Concurrent calls, some of which may never return.
struct Calls {
    private let tasks: [Task<Void, Never>]
    private let outcomes: Outcomes

    private final class Outcomes: Sendable {
        private let all = Mutex<[String?]>([])

        var list: [String?] { all.withLock { $0 } }
        func add(_ outcome: String?) { all.withLock { $0.append(outcome) } }
    }

    /// Starts the calls. Each returns its outcome.
    init(_ count: Int, _ call: @escaping @Sendable () async -> String?) {
        let outcomes = Outcomes()
        self.outcomes = outcomes
        // These tasks are not awaited, because one that does not end would block its test forever.
        tasks = (0..<count).map { _ in Task { outcomes.add(await call()) } }
    }

    /// The outcomes of the calls that end within the limit.
    func outcomes(within limit: Duration) async throws -> [String?] {
        let end = ContinuousClock.now + limit
        while outcomes.list.count < tasks.count, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(1))
        }
        return outcomes.list
    }

    func cancel() {
        for task in tasks { task.cancel() }
    }
}

/// The code of the error that the server sent (PostgreSQL's documentation, "PostgreSQL Error Codes"); `nil` without an error.
func code(of body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch let error as PSQLError {
        return error.serverInfo?[.sqlState] ?? "\(error.code)"
    } catch {
        return "\(error)"
    }
}
