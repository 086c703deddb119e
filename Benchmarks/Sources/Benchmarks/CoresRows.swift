// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALServer

/// Hits of many tasks at once, on as many processors as the machine has.
struct CoresRows {
    let bench: Bench

    func run() async throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        bench.table.title("Hits on \(processors) processors; of random accounts or tenants")
        let endpoint = try Endpoint(bench.path("endpoint"))
        defer { endpoint.stop() }
        // Powers of two up to the number of processors, that number, and more tasks than there are processors.
        let widths = Set([2, 4, 8, 16, 32, 64, 128].filter { $0 < processors } + [processors, 64]).sorted()
        for subject in Subject.allCases {
            for size in bench.sizes([1, 1000]) {
                let hits = try await subject.hits(bench, size)
                // The best of some rounds: what else runs on the machine takes from both.
                var rates: [Int: Double] = [:]
                for _ in 0..<7 {
                    for width in [1] + widths { rates[width] = max(rates[width] ?? 0, try await hits.rate(width)) }
                }
                let alone = rates[1] ?? .nan
                bench.table.row("\(subject.title), hits a second of one task", at: size, value: alone, unit: .ratio)
                for width in widths {
                    bench.table.row(
                        "\(subject.title), of \(width) tasks, in times of that",
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

    /// What is asked.
    enum Subject: String, CaseIterable {
        case store, memory, server

        fileprivate var title: String {
            switch self {
            case .store: "over the store"
            case .memory: "in memory"
            case .server: "a service's tokens"
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

    // MARK: - Step by step

    /// Two threads have hits in turn, for a program that counts what each of them writes: Benchmarks/atomics.py.
    ///
    /// It prints the number of hits and of the threads, waits for a line, and marks the hits with signals.
    static func step(_ subject: Subject, _ size: Int) async throws {
        let calls = 20
        signal(SIGUSR2, SIG_IGN)
        let bench = try Bench(Options([]))
        defer { bench.removeFolder() }
        let endpoint = subject == .server ? try Endpoint(bench.path("endpoint")) : nil
        defer { endpoint?.stop() }
        let hits = try await subject.hits(bench, size)
        let threads = [OneThread(), OneThread()]
        var asks: [@Sendable (Int) async throws -> Void] = []
        for thread in threads {
            let ask = try hits.ask(of: 1)
            asks.append { calls in try await Task(executorPreference: thread) { try await ask(calls) }.value }
        }
        for _ in 0..<3 {
            for ask in asks { try await ask(100) }
        }
        say("\(calls) " + threads.map { String($0.id) }.joined(separator: " "))
        _ = readLine()
        for (thread, _) in zip(threads, asks) {
            let ask = try hits.ask(of: 1)
            try await Task(executorPreference: thread) {
                try await ask(100)
                raise(SIGUSR2)
                try await ask(calls)
                raise(SIGUSR2)
            }.value
        }
        _ = readLine()
    }
}

/// Hits of one kind.
private protocol Hits: Sendable {
    /// What one of so many tasks does: it asks so often. All together ask for as many accounts as one would.
    func ask(of tasks: Int) throws -> @Sendable (_ calls: Int) async throws -> Void
}

extension Hits {
    /// Hits a second.
    fileprivate func rate(_ tasks: Int) async throws -> Double {
        let calls = 64_000 / tasks
        let asks = try (0..<tasks).map { _ in try ask(of: tasks) }
        let start = Moment()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for ask in asks { group.addTask { try await ask(calls) } }
            try await group.waitForAll()
        }
        return Double(calls * tasks) / start.secondsSince
    }
}

/// Silent tokens of users.
private struct UserHits: Hits {
    /// What one task asks for.
    private struct Share: @unchecked Sendable {
        // Each share is made before its task begins, one task reads it, and nobody changes it.
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

    func ask(of tasks: Int) throws -> @Sendable (Int) async throws -> Void {
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

    func ask(of tasks: Int) throws -> @Sendable (Int) async throws -> Void {
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
