// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import SealedStore

/// `msal cache repair`
struct CacheRepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Mend a store whose keys were damaged or changed.",
        discussion: """
            Damage that leaves the keys alone is mended without this command. A store whose keys are not as the library \
            left them stays closed, because somebody may have changed them: look who can write to the file before you \
            go on. This command keeps every record that the store's key still opens, seals it with new keys, and drops \
            the rest. What was there before stays beside the store, in a folder corrupt-…. Asks first, unless --yes is \
            given.

            EXAMPLES
              msal cache repair
              msal cache repair --group msal.shared --yes
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try target.checkExistence()
        if !yes {
            try Consent.ask(
                "Keep what the key of \(target.location.file) opens, and drop the rest?",
                otherwise: "Nothing was changed."
            )
        }
        try output.show(try repair(target, KeyPatience(mayPrompt: Terminal.errors.isInteractive)))
    }

    /// - Throws: `Failure` with the status `store` if the key cannot be had, or the store cannot be written.
    func repair(_ target: CacheTarget, _ patience: KeyPatience) throws(Failure) -> CacheRepairReport {
        let done = try target.run { (store) throws(StoreError) in try store.repair(patience) }
        return CacheRepairReport(store: target.location.file, done, isThere: target.exists)
    }
}

/// What was repaired.
struct CacheRepairReport: Report, Encodable {
    var store: String
    var isRepaired: Bool
    /// `nil` if nothing had to be done.
    var recordsKept: Int?
    /// `nil` if nothing had to be done, and if nobody can tell.
    var recordsLost: Int?
    /// Folders with the store as it was.
    var copies: [String]

    private var isThere: Bool

    /// `isThere`: Whether there is still a store.
    init(store: String, _ done: [StoreRecovered], isThere: Bool) {
        self.store = store
        self.isThere = isThere
        isRepaired = !done.isEmpty
        recordsKept = done.last?.rowsKept
        let losses = done.map(\.rowsLost)
        recordsLost = isRepaired && !losses.contains(nil) ? losses.compactMap(\.self).reduce(0, +) : nil
        copies = done.map(\.quarantine)
    }

    private enum CodingKeys: String, CodingKey {
        case store, isRepaired, recordsKept, recordsLost, copies
    }

    /// All members are always there.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(store, forKey: .store)
        try members.encode(isRepaired, forKey: .isRepaired)
        try members.encode(recordsKept, forKey: .recordsKept)
        try members.encode(recordsLost, forKey: .recordsLost)
        try members.encode(copies, forKey: .copies)
    }

    func text(_ style: Style) -> TerminalText {
        guard isRepaired else { return "The store is sound. Nothing was changed." }
        let before: TerminalText =
            "What was there before is in \(copies.joined(separator: " and ")). msal cache clear deletes that, too."
        guard isThere else {
            return "\(style.good("✓")) Nothing could be kept. The next sign-in starts a new store. \(before)"
        }
        let lost = recordsLost.map(String.init) ?? "unknown"
        return "\(style.good("✓")) Repaired. Records kept: \(recordsKept ?? 0), lost: \(lost). \(before)"
    }

    var raw: String { recordsKept.map(String.init) ?? "" }
}
