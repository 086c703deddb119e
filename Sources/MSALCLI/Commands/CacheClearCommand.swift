// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal cache clear`
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete everything in the store: every account, token and note of the group.",
        discussion: """
            Asks first, unless --yes is given. Every app of the group has to sign in again. With --force a store \
            whose key is gone gets a new one, and one that cannot be opened at all is deleted as a file.

            EXAMPLES
              msal cache clear
              msal cache clear --group msal.shared --yes
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Clear a store that cannot be opened, too.")
    var force = false

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        guard target.exists else {
            output.show(CacheClearReport(store: target.location.file, records: 0, deletedFiles: false))
            return
        }
        if !yes { try Self.confirm(target.location.file) }
        let path = target.location.file
        do {
            let records = try target.run { (store) throws(StoreError) -> Int in
                let count = try store.statistics(now: SystemTime().now).records.values.reduce(0, +)
                try store.write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
                return count
            }
            output.show(CacheClearReport(store: path, records: records, deletedFiles: false))
        } catch {
            guard force else {
                var failure = error
                failure.remedy = "To clear it all the same: msal cache clear --force"
                throw failure
            }
            output.show(CacheClearReport(store: path, records: 0, deletedFiles: try Self.clear(unopenable: target)))
        }
    }

    /// Gives the store a new key, or deletes its files; `true` for the latter.
    private static func clear(unopenable target: CacheTarget) throws(Failure) -> Bool {
        do throws(StoreError) {
            try target.store.reset(KeyPatience())
            return false
        } catch {
            try deleteFiles(target.location)
            return true
        }
    }

    private static func confirm(_ path: String) throws(Failure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw .usage("Nobody is there to ask whether \(path) is to be emptied.", remedy: "Pass --yes.")
        }
        Terminal.errors.write(raw: Data("Delete every account and token in \(path)? [y/N] ".utf8))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure(
                status: .canceled,
                code: MSALError.userCanceled.rawValue,
                message: "Nothing was deleted."
            )
        }
    }

    /// The database with its companions. The key stays where it is: it opens nothing any more.
    private static func deleteFiles(_ location: StoreLocation) throws(Failure) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = location.file + suffix
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .file("\(path) cannot be deleted: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// What was deleted.
struct CacheClearReport: Report, Encodable {
    var store: String
    var records: Int
    var deletedFiles: Bool

    func text(_ style: Style) -> String {
        if deletedFiles { return "\(style.good("✓")) Deleted the files of \(store)." }
        return records == 0 ? "The store was empty." : "\(style.good("✓")) Deleted \(records) records."
    }

    var raw: String { String(records) }
}
