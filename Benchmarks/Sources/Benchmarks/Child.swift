// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// A task that this program runs in a child process, for a row of its parent.
enum Errand: String {
    /// FOLDER GROUP N: fills a store.
    case fill
    /// GROUP N LOCATION: measures the first calls of a process; prints pairs of CPU and elapsed time.
    case first
    /// GROUP N: stores a new token for each account whose number it reads, and prints a line after each.
    case commit
    /// LOCATION GROUP N: prints the bytes by which the process grows per account.
    case growth
    /// LOCATION GROUP: has one hit, and prints the anonymous resident memory of the process.
    case having
    /// FILE: imports a file of the shared schema into a new store; prints CPU time, elapsed time, and peak memory.
    case importing = "import"
    /// LOCATION GROUP N COUNT: refreshes; prints the bytes by which the process grows with each.
    case refreshing
    /// LOCATION COUNT VERSION: signs in natively; prints the bytes by which the process grows per sign-in after warming up.
    case signingIn = "signing-in"
    /// MEGABYTES N: fetches ten tokens for each tenant with a limit; prints the growth and the size of all tokens.
    case serving
    /// SUBJECT N: has hits on two threads, which a debugger steps through.
    case stepping
    /// Prints the RSA-2048 signatures per second of one thread.
    case signing
    /// plain|counted: for each line that it reads, has hits, with or without metrics that count them, and prints the processor
    /// time of one.
    case hitting
    /// AUDIENCE: runs a Hummingbird server with and without the check of tokens; prints its port.
    case protecting

    func run(_ arguments: [String]) async throws {
        func number(_ index: Int) -> Int { arguments.indices.contains(index) ? Int(arguments[index]) ?? 0 : 0 }
        switch self {
        case .fill where arguments.count == 3:
            return try await Self.fill(arguments[0], arguments[1], number(2))
        case .first where arguments.count == 3:
            guard let location = Location(rawValue: arguments[2]) else { break }
            return try await AccountRows.first(location, group: arguments[0], accounts: number(1))
        case .commit where arguments.count == 2: return try await ChangeRows.commit(arguments[0])
        case .growth where arguments.count == 3:
            guard let location = Location(rawValue: arguments[0]) else { break }
            return try await MemoryRows.growth(location, group: arguments[1], accounts: number(2))
        case .having where arguments.count == 2:
            guard let location = Location(rawValue: arguments[0]) else { break }
            return try await MemoryRows.afterOneHit(location, group: arguments[1])
        case .importing where arguments.count == 1: return try await ImportRows.importing(arguments[0])
        case .refreshing where arguments.count == 4:
            guard let location = Location(rawValue: arguments[0]) else { break }
            return try await RefreshRows.growth(location, group: arguments[1], accounts: number(2), count: number(3))
        case .signingIn where arguments.count == 3:
            guard let location = Location(rawValue: arguments[0]),
                let version = NativeRows.Version(rawValue: arguments[2])
            else { break }
            return try await NativeRows.growth(location, count: number(1), version: version)
        case .serving where arguments.count == 2:
            return try await ServerRows.growth(megabytes: number(0), tenants: number(1))
        case .stepping where arguments.count == 2:
            guard let subject = CoresRows.Subject(rawValue: arguments[0]) else { break }
            return try await CoresRows.step(subject, number(1))
        case .hitting where arguments == ["plain"] || arguments == ["counted"]:
            return try await SharedRows.hitOnDemand(isCounted: arguments == ["counted"])
        case .protecting where arguments.count == 1: return try await HummingbirdRows.protect(audience: arguments[0])
        case .signing where arguments.isEmpty: return say("\(try EmulatorRows.signingRate())")
        default: break
        }
        say(Options.usage)
        exit(2)
    }

    private static func fill(_ folder: String, _ group: String, _ accounts: Int) async throws {
        let environment = ["MSAL_STORE_DIR": folder, "MSAL_STORE_KEY": "key-file"]
        let store = try MSALTokenStore(group: group, protection: .keyFile, environment: environment)
        let size = 10_000
        for start in stride(from: 0, to: accounts, by: size) {
            try await store.importCache(Content.text(start..<min(start + size, accounts)))
        }
    }
}

/// A child process that runs this program.
final class Child {
    private let process: Spawned
    private let errand: Errand
    private var waiting: [UInt8] = []

    init(_ errand: Errand, _ arguments: [String]) throws {
        process = try Spawned("/proc/self/exe", [errand.rawValue] + arguments)
        self.errand = errand
    }

    /// Runs an errand to its end.
    static func output(of errand: Errand, _ arguments: [String]) async throws -> String {
        let child = try Child(errand, arguments)
        var lines: [String] = []
        while let line = child.nextLine() { lines.append(line) }
        let text = lines.joined(separator: "\n")
        guard child.process.end() == 0 else { throw Failure(errand: errand, output: text) }
        return text
    }

    /// Runs an errand that prints `count` numbers.
    static func figures(_ count: Int, of errand: Errand, _ arguments: [String]) async throws -> [Double] {
        let text = try await output(of: errand, arguments)
        let figures = text.split(separator: " ").compactMap { Double($0) }
        guard figures.count == count else { throw Failure(errand: errand, output: text) }
        return figures
    }

    struct Failure: Error {
        let errand: Errand
        let output: String
    }

    func write(_ line: String) { process.write(line + "\n") }

    /// Waits for the next line; `nil` at the end of the output.
    func nextLine() -> String? {
        while true {
            if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
                defer { waiting.removeFirst(end + 1) }
                return String(decoding: waiting[..<end], as: UTF8.self)
            }
            let more = process.read()
            guard !more.isEmpty else { return nil }
            waiting += more
        }
    }

    /// Closes the child's input, at which it exits.
    func end() { _ = process.end() }
}
