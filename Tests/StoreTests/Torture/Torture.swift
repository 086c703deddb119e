// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import SealedStore
import StoreWorker
import TestSupport
import Testing

@testable import MSAL

/// The tests of docs/reference/Store.md#torture that need processes, damage and time.
///
/// They need `MSAL_TORTURE`, because they use both processors and slow everything else down: `full` is
/// the size that is documented there, `small` that of every run of `scripts/test --ci`.
/// `MSAL_TORTURE_SEED` repeats a run: each test prints the seed it used.
@Suite(.serialized, .enabled(if: TortureSize.isWanted, "MSAL_TORTURE is neither small nor full"))
struct Torture {}

/// The amounts.
struct TortureSize {
    private static let wanted = ProcessInfo.processInfo.environment["MSAL_TORTURE"]
    static let isFull = wanted == "full"
    static let isWanted = isFull || wanted == "small"

    static func of(small: Int, full: Int) -> Int { isFull ? full : small }
}

/// One torture run: its directory, its random numbers, and what it prints.
struct TortureRun {
    let directory: URL
    let seed: UInt64
    private let name: String

    /// Runs `body` in a new directory and removes it afterwards.
    static func with(_ name: String, _ body: (TortureRun) throws -> Void) throws {
        let given = ProcessInfo.processInfo.environment["MSAL_TORTURE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 1...9_999_999)
        try withTemporaryDirectory { directory in
            let run = TortureRun(directory: directory, seed: seed, name: name)
            do {
                try body(run)
            } catch {
                run.say("failed: \(error)")
                throw error
            }
        }
    }

    /// Runs `body` in a new directory and removes it afterwards.
    static func with(_ name: String, _ body: (TortureRun) async throws -> Void) async throws {
        let given = ProcessInfo.processInfo.environment["MSAL_TORTURE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 1...9_999_999)
        try await withTemporaryDirectory { directory in
            let run = TortureRun(directory: directory, seed: seed, name: name)
            do {
                try await body(run)
            } catch {
                run.say("failed: \(error)")
                throw error
            }
        }
    }

    var random: SeededRandom { SeededRandom(seed: seed) }

    var location: StoreLocation {
        get throws { try StoreLocation(group: "torture", environment: ["MSAL_STORE_DIR": directory.path]) }
    }

    func store() throws -> SQLiteStore { SQLiteStore(location: try location, keys: SingleKeySource(KeyFileKeys())) }

    func cache() throws -> TokenCache { TokenCache(store: try store(), clientID: Numbered.clientID) }

    /// A new directory inside this run's.
    func nested(_ name: String) throws -> TortureRun {
        let directory = directory.appending(path: name)
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return TortureRun(directory: directory, seed: seed, name: self.name)
    }

    func say(_ text: String) { print("\(name) (seed \(seed)): \(text)") }
}
