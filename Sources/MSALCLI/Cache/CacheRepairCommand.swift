// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache repair`
struct CacheRepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair a store whose keys were damaged or changed.",
        usage: "msal cache repair [options]",
        discussion: """
            Damage that does not affect the keys is repaired without this command. A store whose keys are not as the \
            library wrote them is not opened, because they may have been tampered with: check who can write to the \
            file before you continue. This command keeps every record that the store's key can still decrypt, encrypts \
            it with new keys, and drops the rest. The previous files are kept next to the store, in a directory \
            corrupt-…. Asks for confirmation unless --yes is given.

            EXAMPLES
              msal cache repair
              msal cache repair --group msal.shared --yes
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let target = try CacheTarget(group: cache.group, mayAskToUnlock: cache.mayAskToUnlock)
        try target.checkExistence()
        try output.show(try await repair(target))
    }

    /// Repairs the store. It asks the user only if there is something to decide.
    ///
    /// - Throws: `Failure` with the status `store` if the key is not available or the store cannot be written; with
    ///   `usage` or `canceled` as ``Consent``.
    func repair(_ target: CacheTarget) async throws(Failure) -> CacheRepairReport {
        let store = target.store
        let known = store.repairs.count
        // Opening the store repairs everything that needs no decision.
        if !yes, await !opens(store) {
            try Consent.ask(
                "Keep the records that the key of \(store.file) can decrypt, and drop the rest?",
                input: cache.input,
                otherwise: "Nothing was changed."
            )
        }
        let mended = Array(store.repairs.dropFirst(known))
        let done = try await mended + target.run { try await $0.repair() }
        return CacheRepairReport(store: store.file, done, isThere: store.exists)
    }

    private func opens(_ store: MSALTokenStore) async -> Bool {
        // If opening failed for a reason that a repair cannot remove, the repair fails for the same reason.
        await WaitLine.waiting(for: .keyring(mayAsk: cache.mayAskToUnlock)) {
            (try? await store.statistics()) != nil
        }
    }
}

/// The report of `msal cache repair`.
struct CacheRepairReport: Report, Encodable {
    var store: String
    var isRepaired: Bool
    /// The number of records that were kept; `nil` if there was nothing to repair.
    @ExplicitNull var recordsKept: Int? = nil
    /// The number of records that were lost; `nil` if there was nothing to repair, or if the number is not known.
    @ExplicitNull var recordsLost: Int? = nil
    /// The directories with copies of the store from before the repair.
    var copies: [String]

    private var isThere: Bool

    /// `isThere`: Whether the store still exists.
    init(store: String, _ done: [MSALTokenStoreRepair], isThere: Bool) {
        self.store = store
        self.isThere = isThere
        isRepaired = !done.isEmpty
        recordsKept = done.last?.recordsKept
        let losses = done.map(\.recordsLost)
        recordsLost = isRepaired && !losses.contains(nil) ? losses.compactMap(\.self).reduce(0, +) : nil
        copies = done.map(\.copy)
    }

    private enum CodingKeys: String, CodingKey {
        case store, isRepaired, recordsKept, recordsLost, copies
    }

    func text(_ style: Style) -> TerminalText {
        guard isRepaired else { return "The store is intact. Nothing was changed." }
        let before: TerminalText =
            "The previous files are in \(copies.joined(separator: " and ")). msal cache clear deletes them too."
        guard isThere else {
            return "\(style.good("✓")) No records could be kept. The next sign-in creates a new store. \(before)"
        }
        let lost = recordsLost.map(String.init) ?? "unknown"
        return "\(style.good("✓")) Repaired. Records kept: \(recordsKept ?? 0), lost: \(lost). \(before)"
    }

    var raw: String { recordsKept.map(String.init) ?? "" }
}
