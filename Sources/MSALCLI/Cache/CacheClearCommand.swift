// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache clear`
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete everything in the store: all accounts, tokens and metadata of the group.",
        usage: "msal cache clear [options]",
        discussion: """
            Asks for confirmation unless --yes is given. Every app of the group has to sign in again. Older copies \
            next to the store, kept after damage or by a repair (corrupt-…), are deleted too. The empty store and its \
            key remain. A store whose key is missing gets a new key; --force deletes the files of a store that cannot \
            be opened at all.

            EXAMPLES
              msal cache clear
              msal cache clear --group msal.shared --yes
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Delete the files of a store that cannot be opened.")
    var force = false

    func run() async throws {
        let target = try CacheTarget(group: cache.group, mayAskToUnlock: cache.mayAskToUnlock)
        let store = target.store
        guard store.exists || !store.olderCopies.isEmpty else {
            return try output.show(CacheClearReport(store: store.file))
        }
        if !yes { try confirm(store.file, copies: store.olderCopies.count) }
        let report = try await WaitLine.waiting(for: .keyring(mayAsk: cache.mayAskToUnlock)) { try await clear(target) }
        try output.show(report)
    }

    /// Deletes the records, and then the files next to the store.
    func clear(_ target: CacheTarget) async throws(Failure) -> CacheClearReport {
        do {
            let done = try await target.store.clear(deletingFiles: force)
            return CacheClearReport(store: target.store.file, done.outcome, copies: done.olderCopies)
        } catch {
            let error = error as NSError
            // `--force` does not help if the store cannot be deleted or is in use.
            let preventsDeletion = [.unwritable, .busy, .insecure].contains(error.storeFailure)
            let remedy = force || preventsDeletion ? nil : "To delete its files anyway: msal cache clear --force"
            throw Failure(store: error, remedy: remedy)
        }
    }

    private func confirm(_ path: String, copies: Int) throws(Failure) {
        let more = copies == 0 ? "" : " and \(copies) older cop\(copies == 1 ? "y" : "ies") of it"
        try Consent.ask(
            "Delete every account and token in \(path)\(more)?",
            input: cache.input,
            otherwise: "Nothing was deleted."
        )
    }
}

/// The report of `msal cache clear`.
struct CacheClearReport: Report, Encodable {
    var store: String
    @ExplicitNull var records: Int? = nil
    var hasNewKey: Bool
    var deletedFiles: Bool
    /// The number of files and directories next to the store that damage or an update left.
    var deletedCopies: Int

    init(store: String, _ outcome: MSALTokenStoreClearing.Outcome = .deletedRecords(0), copies: Int = 0) {
        self.store = store
        if case .deletedRecords(let count) = outcome { records = count }
        hasNewKey = outcome == .newKey
        deletedFiles = outcome == .deletedFiles
        deletedCopies = copies
    }

    func text(_ style: Style) -> TerminalText {
        let copies: TerminalText = "Older copies of the store deleted: \(deletedCopies)."
        return deletedCopies == 0 ? emptying(style) : emptying(style) + "\n" + copies
    }

    private func emptying(_ style: Style) -> TerminalText {
        if hasNewKey {
            return "\(style.good("✓")) Deleted everything. The old key was missing; the store has a new key."
        }
        if deletedFiles { return "\(style.good("✓")) Deleted the files of \(store)." }
        guard let records, records > 0 else { return "The store was empty." }
        return "\(style.good("✓")) Deleted \(records) record\(records == 1 ? "" : "s")."
    }

    var raw: String { records.map(String.init) ?? "" }
}
