// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALServer

/// Hits of concurrent tasks, on all processors of the machine.
struct CoresRows {
    let bench: Bench

    func run() async throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        bench.table.title("Hits of concurrent tasks, random accounts or tenants")
        let endpoint = try Endpoint(bench.path("endpoint"))
        defer { endpoint.stop() }
        // Powers of two up to the number of processors, that number, and more tasks than there are processors.
        let widths = Set([2, 4, 8, 16, 32, 64, 128].filter { $0 < processors } + [processors, 64]).sorted()
        for subject in Subject.allCases {
            for size in bench.sizes([1, 1000]) {
                let hits = try await subject.hits(bench, size)
                // The best of several rounds, because other load on the machine only lowers a rate.
                var rates: [Int: Double] = [:]
                for _ in 0..<7 {
                    for width in [1] + widths { rates[width] = max(rates[width] ?? 0, try await hits.rate(width)) }
                }
                let alone = rates[1] ?? .nan
                bench.table.row("\(subject.title), hits per second of one task", at: size, value: alone, unit: .ratio)
                for width in widths {
                    bench.table.row(
                        "\(subject.title), \(width) tasks relative to one",
                        at: size,
                        value: (rates[width] ?? .nan) / alone,
                        unit: .ratio,
                        limit: Limit(what: "\(processors) processors", value: Double(min(width, processors))),
                        target: width == 2 ? 1.95 : nil,
                        isFloor: true
                    )
                }
            }
        }
    }

    /// Which tokens are requested.
    enum Subject: String, CaseIterable {
        case store, memory, server

        fileprivate var title: String {
            switch self {
            case .store: "over the store"
            case .memory: "in memory"
            case .server: "application tokens"
            }
        }

        fileprivate func hits(_ bench: Bench, _ size: Int) async throws -> any Hits {
            switch self {
            case .store: try await UserHits(try await bench.application(.store, size), size)
            case .memory: try await UserHits(try await bench.application(.memory, size), size)
            case .server: try await ServiceHits(size)
            }
        }
    }

    // MARK: - Single steps

    /// Runs hits on two threads in turn, for Benchmarks/atomics.py, which counts their atomic writes.
    ///
    /// Prints the number of hits and the IDs of the threads, waits for a line, and raises a signal before and after the hits.
    static func step(_ subject: Subject, _ size: Int) async throws {
        let calls = 20
        signal(SIGUSR2, SIG_IGN)
        let bench = try Bench(Options([]))
        defer { bench.removeFolder() }
        let endpoint = subject == .server ? try Endpoint(bench.path("endpoint")) : nil
        defer { endpoint?.stop() }
        let hits = try await subject.hits(bench, size)
        let threads = [OneThread(), OneThread()]
        var warmUps: [@Sendable (Int) async throws -> Void] = []
        for thread in threads {
            let work = try hits.work(of: 1)
            warmUps.append { calls in try await Task(executorPreference: thread) { try await work(calls) }.value }
        }
        for _ in 0..<3 {
            for warmUp in warmUps { try await warmUp(100) }
        }
        say("\(calls) " + threads.map { String($0.id) }.joined(separator: " "))
        _ = readLine()
        for thread in threads {
            let work = try hits.work(of: 1)
            try await Task(executorPreference: thread) {
                try await work(100)
                raise(SIGUSR2)
                try await work(calls)
                raise(SIGUSR2)
            }.value
        }
        _ = readLine()
    }
}

/// Hits of one kind.
private protocol Hits: Sendable {
    /// Creates the work of one of `tasks` tasks. All tasks together request as many accounts as a single one.
    func work(of tasks: Int) throws -> @Sendable (_ calls: Int) async throws -> Void
}

extension Hits {
    /// Hits per second.
    fileprivate func rate(_ tasks: Int) async throws -> Double {
        let calls = 64_000 / tasks
        let works = try (0..<tasks).map { _ in try work(of: tasks) }
        let start = Moment()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for work in works { group.addTask { try await work(calls) } }
            try await group.waitForAll()
        }
        return Double(calls * tasks) / start.secondsSince
    }
}

/// Silent tokens of users.
private struct UserHits: Hits {
    /// The requests of one task.
    private struct Share: @unchecked Sendable {
        // Each share is created before its task starts, is read by that task only, and never changes.
        let parameters: [MSALSilentTokenParameters]
    }

    let application: MSALPublicClientApplication
    let accounts: Int

    init(_ application: MSALPublicClientApplication, _ accounts: Int) async throws {
        self.application = application
        self.accounts = accounts
        for parameters in try application.allSilentParameters(of: accounts) {
            _ = try await application.acquireTokenSilent(with: parameters)
        }
    }

    func work(of tasks: Int) throws -> @Sendable (Int) async throws -> Void {
        var dice = Dice()
        let numbers = (0..<max(1, 1280 / tasks)).map { _ in dice.roll(accounts) }
        let share = Share(parameters: try application.silentParameters(numbers))
        return { [application] calls in try await Self.hits(application, share, calls) }
    }

    private static func hits(
        _ application: MSALPublicClientApplication,
        _ share: Share,
        _ calls: Int
    ) async throws {
        let parameters = share.parameters
        for call in 0..<calls {
            _ = try await application.acquireTokenSilent(with: parameters[call % parameters.count])
        }
    }
}

/// Tokens of a service, for one tenant or many.
private struct ServiceHits: Hits {
    let application: MSALConfidentialClientApplication
    let tenants: Int

    init(_ tenants: Int) async throws {
        self.tenants = tenants
        application = try ServerRows.application()
        try await ServerRows.fetch((0..<tenants).map(ServerRows.tenant), [ServerRows.graph], with: application)
    }

    func work(of tasks: Int) throws -> @Sendable (Int) async throws -> Void {
        var dice = Dice()
        let names = (0..<max(1, 1280 / tasks)).map { _ in ServerRows.tenant(dice.roll(tenants)) }
        return { [application] calls in try await Self.hits(application, names, calls) }
    }

    private static func hits(
        _ application: MSALConfidentialClientApplication,
        _ tenants: [String],
        _ calls: Int
    ) async throws {
        var options = MSALTokenOptions()
        let scopes = [ServerRows.graph]
        for call in 0..<calls {
            options.tenant = tenants[call % tenants.count]
            _ = try await application.acquireTokenForClient(scopes: scopes, options: options)
        }
    }
}
