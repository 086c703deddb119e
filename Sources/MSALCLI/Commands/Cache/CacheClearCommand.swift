// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALSupport
import SealedStore

/// `msal cache clear`
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete everything in the store: every account, token and note of the group.",
        discussion: """
            Asks first, unless --yes is given. Every app of the group has to sign in again. Older copies of the store \
            beside it, kept after damage or by a repair (corrupt-…), go as well. What stays is the empty store and its \
            key. A store whose key is gone gets a new one; one that cannot be opened at all is deleted as a file with \
            --force.

            EXAMPLES
              msal cache clear
              msal cache clear --group msal.shared --yes
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Delete the files of a store that cannot be opened.")
    var force = false

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        let remains = StoreRemains(of: target.location)
        let isNothingThere = !target.exists && remains.paths.isEmpty
        if !yes && !isNothingThere { try Self.confirm(target.location.file, copies: remains.paths.count) }
        try output.show(isNothingThere ? CacheClearReport(store: target.location.file) : clear(target))
    }

    /// Deletes the records, and then what lies beside the store.
    func clear(_ target: CacheTarget) throws(Failure) -> CacheClearReport {
        let outcome = try empty(target)
        let remains = StoreRemains(of: target.location)
        let count = remains.paths.count
        do throws(StoreError) {
            try remains.remove()
        } catch {
            throw Failure(error)
        }
        return CacheClearReport(store: target.location.file, outcome, copies: count)
    }

    private func empty(_ target: CacheTarget) throws(Failure) -> CacheClearReport.Outcome {
        do throws(StoreError) {
            let count = try target.store.statistics(now: SystemTime().now).records.values.reduce(0, +)
            try target.store.deleteAllRecords()
            return .deletedRecords(count)
        } catch {
            // Without its key the store can be emptied, but not read: that is what was asked for.
            if [.keyUnavailable, .unverified].contains(error.kind), reset(target.store) { return .newKey }
            guard force else {
                throw Failure(error, remedy: "To delete its files all the same: msal cache clear --force")
            }
            try Self.deleteFiles(target.location)
            return .deletedFiles
        }
    }

    /// Whether the store could be emptied and given a new key.
    private func reset(_ store: SQLiteStore) -> Bool {
        do throws(StoreError) {
            try store.reset(KeyPatience(mayPrompt: Terminal.errors.isInteractive))
            return true
        } catch {
            return false
        }
    }

    private static func confirm(_ path: String, copies: Int) throws(Failure) {
        let more = copies == 0 ? "" : " and \(copies) older cop\(copies == 1 ? "y" : "ies") of it"
        try Consent.ask("Delete every account and token in \(path)\(more)?", otherwise: "Nothing was deleted.")
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
    /// How the store was emptied.
    enum Outcome: Equatable {
        case deletedRecords(Int)
        /// The key was gone, and nobody can count what it had sealed.
        case newKey
        case deletedFiles
    }

    var store: String
    var records: Int?
    var hasNewKey: Bool
    var deletedFiles: Bool
    /// Files and folders beside the store that were left from damage or updates.
    var deletedCopies: Int

    init(store: String, _ outcome: Outcome = .deletedRecords(0), copies: Int = 0) {
        self.store = store
        if case .deletedRecords(let count) = outcome { records = count }
        hasNewKey = outcome == .newKey
        deletedFiles = outcome == .deletedFiles
        deletedCopies = copies
    }

    private enum CodingKeys: String, CodingKey {
        case store, records, hasNewKey, deletedFiles, deletedCopies
    }

    /// All members are always there.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(store, forKey: .store)
        try members.encode(records, forKey: .records)
        try members.encode(hasNewKey, forKey: .hasNewKey)
        try members.encode(deletedFiles, forKey: .deletedFiles)
        try members.encode(deletedCopies, forKey: .deletedCopies)
    }

    func text(_ style: Style) -> TerminalText {
        let copies: TerminalText = "Older copies of the store deleted: \(deletedCopies)."
        return deletedCopies == 0 ? emptying(style) : emptying(style) + "\n" + copies
    }

    private func emptying(_ style: Style) -> TerminalText {
        if hasNewKey { return "\(style.good("✓")) Deleted everything. The old key was gone; the store has a new one." }
        if deletedFiles { return "\(style.good("✓")) Deleted the files of \(store)." }
        guard let records, records > 0 else { return "The store was empty." }
        return "\(style.good("✓")) Deleted \(records) record\(records == 1 ? "" : "s")."
    }

    var raw: String { records.map(String.init) ?? "" }
}
