// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL
import SealedStore

/// A process of its own that uses a token store, for the tests that kill, crowd and starve it.
///
/// `StoreWorker JOB DIRECTORY [NAME=VALUE…]`; see ``Jobs`` for the jobs. Every acknowledged step is one line on the
/// standard output, written when the store has said that it is done.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let job = arguments.first, let directory = arguments.dropFirst().first else {
            print("usage: StoreWorker JOB DIRECTORY [NAME=VALUE…]")
            exit(2)
        }
        do {
            let settings = WorkerSettings(directory: directory, arguments.dropFirst(2))
            try await Jobs(settings).run(job)
        } catch let error as StoreError {
            say("error \(error.kind) \(error.message)")
            exit(1)
        } catch {
            say("error other \(error)")
            exit(1)
        }
    }

    /// One line, in one system call: a process that is killed leaves no half of it.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}

/// What a job was told.
struct WorkerSettings {
    let directory: String
    private let values: [String: String]

    init(directory: String, _ arguments: some Sequence<String>) {
        self.directory = directory
        var values: [String: String] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            values[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }

    func number(_ name: String, default value: Int) -> Int { values[name].flatMap(Int.init) ?? value }

    /// The store in the directory, or in that of `store=`; its key in a file beside it, unless `provider=none`.
    func store(afterStep: @escaping @Sendable (StoreStep) -> Void = { _ in }) throws -> SQLiteStore {
        var location = try StoreLocation(
            group: "torture",
            environment: ["MSAL_STORE_DIR": values["store"] ?? directory]
        )
        if let name = values["filesystem"] { location.assumedFileSystem = .shared(name) }
        let keys = SingleKeySource(values["provider"] == "none" ? nil : KeyFileKeys())
        return SQLiteStore(
            location: location,
            keys: keys,
            maintenance: StoreMaintenance(afterStep: afterStep)
        )
    }

    /// What an app gets: the store with memory above it for what cannot be written.
    func bufferedStore() throws -> BufferedStore { BufferedStore(over: try store()) }
}
