// Licensed under the MIT License. See LICENSE.

import Foundation

/// Measures the library through its public API, as apps use it.
///
/// scripts/benchmark runs this program, and measures whole programs itself.
@main struct Benchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let name = arguments.first, let errand = Errand(rawValue: name) {
            return try await errand.run(Array(arguments.dropFirst()))
        }
        let options: Options
        do {
            options = try Options(arguments)
        } catch {
            say(error.text)
            exit(2)
        }
        // A write to a child that exited must not end this process; its missing output reports the failure.
        signal(SIGPIPE, SIG_IGN)
        let bench = try Bench(options)
        bench.printHead()
        for part in options.parts {
            do {
                try await part.run(bench)
            } catch {
                bench.table.failed("The part \(part.rawValue)", at: nil, because: "\(error)")
            }
        }
        bench.table.showMissed()
        let failures = bench.table.showFailures()
        bench.removeFolder()
        if failures > 0 { exit(1) }
    }
}

/// A group of rows.
enum Part: String, CaseIterable {
    case accounts, hits, changes, refreshes, native, cores, memory, imports, server, shared, engine, api, emulator

    func run(_ bench: Bench) async throws {
        switch self {
        case .accounts: try await AccountRows(bench: bench).run()
        case .hits: try await HitRows(bench: bench).run()
        case .changes: try await ChangeRows(bench: bench).run()
        case .refreshes: try await RefreshRows(bench: bench).run()
        case .native: try await NativeRows(bench: bench).run()
        case .cores: try await CoresRows(bench: bench).run()
        case .memory: try await MemoryRows(bench: bench).run()
        case .imports: try await ImportRows(bench: bench).run()
        case .server:
            try await ServerRows(
                table: bench.table,
                hash: bench.limits.hash,
                folder: bench.path("endpoint"),
                most: bench.options.most
            ).run()
        case .shared:
            try await SharedRows(table: bench.table, folder: bench.path("endpoint"), most: bench.options.most).run()
        case .engine:
            try await EngineRows(
                table: bench.table,
                folder: bench.path("endpoint"),
                most: bench.options.most,
                engine: .running()
            ).run()
        case .api:
            try await APIRows(table: bench.table, folder: bench.path("endpoint"), most: bench.options.most).run()
        case .emulator: try EmulatorRows(bench: bench).run()
        }
    }
}

/// The command line.
struct Options {
    struct Fault: Error {
        let text: String
    }

    static let usage = """
        usage: Benchmarks [PART...] [--most N] [--folder FOLDER] [--peer FILE]...
               Benchmarks fill FOLDER GROUP N     (fills a store for other programs)
          parts: \(Part.allCases.map(\.rawValue).joined(separator: " ")); all by default
          --most N         the largest number of accounts; 100000 by default
          --folder FOLDER  keeps the filled stores there and reuses them
          --peer FILE      figures of another library, as Benchmarks/msal_python.py and Benchmarks/msal_go write them;
                           each file adds a column
          --emulator FILE  the program for the part emulator, which is skipped without it
        """

    private(set) var parts: [Part] = []
    private(set) var most = 100_000
    private(set) var folder: String?
    private(set) var peers: [String] = []
    private(set) var emulator: String?

    init(_ arguments: [String]) throws(Fault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--most":
                guard let value = rest.popFirst().flatMap({ Int($0) }), value > 0 else {
                    throw Fault(text: "--most needs a number.\n" + Self.usage)
                }
                most = value
            case "--folder": folder = rest.popFirst()
            case "--peer":
                guard let file = rest.popFirst() else { throw Fault(text: "--peer needs a file.\n" + Self.usage) }
                peers.append(file)
            case "--emulator": emulator = rest.popFirst()
            default:
                guard let part = Part(rawValue: argument) else {
                    throw Fault(text: "'\(argument)' is not a part.\n" + Self.usage)
                }
                parts.append(part)
            }
        }
        if parts.isEmpty { parts = Part.allCases.filter { $0 != .engine && ($0 != .emulator || emulator != nil) } }
    }
}
