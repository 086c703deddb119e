// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALSupport
import SealedStore

/// `msal cache rotate-key`
struct CacheRotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Give the store new keys, or move its key elsewhere.",
        discussion: """
            Every row is sealed anew. Other processes may go on meanwhile, and an interruption does no harm: the next \
            run goes on where this one stopped. --to names another place for the key: secret-service, key-file, \
            credential-file:PATH, or none for a store in plain text. Where the key is in that place already, it is \
            replaced. MSAL_STORE_KEY names the credential file in use, --to the one that takes its place.

            EXAMPLES
              msal cache rotate-key
              msal cache rotate-key --to secret-service
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Where the key is to be kept from now on.", valueName: "place"),
        completion: .list(["secret-service", "key-file", "credential-file:", "none"])
    )
    var to: String?

    private static let places = "secret-service, key-file, credential-file:PATH or none"

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try target.checkExistence()
        // A keyring may have to be unlocked; only a person can do that.
        let report = try change(target, KeyPatience(mayPrompt: Terminal.errors.isInteractive))
        try output.show(report)
        if let advice = report.advice { Terminal.errors.write("\(advice)") }
    }

    /// Replaces the keys, or moves them.
    ///
    /// - Throws: `Failure` with the status `usage` if `--to` names no place; with `store` if the keys cannot be changed.
    func change(_ target: CacheTarget, _ patience: KeyPatience) throws(Failure) -> CacheRotateKeyReport {
        let place = try to.map { (text) throws(Failure) in try Self.place(text) }
        return try target.run { (present) throws(StoreError) in
            let store = place == nil ? present : target.storeToMove
            let before = try store.statistics(now: SystemTime().now)
            if Terminal.errors.isInteractive {
                Terminal.errors.write("Sealing the records anew: \(before.records.values.reduce(0, +))…")
            }
            var changed = store
            if let place {
                let keys = StoreKeys(place, environment: target.environment)
                // The store knows where its present key is: for a credential file MSAL_STORE_KEY says so.
                try store.moveKey(to: try keys.providerForNewStore(patience), patience: patience)
                changed = SQLiteStore(location: target.location, keys: keys)
            } else {
                try store.rotateKeys(patience)
            }
            let after = try changed.statistics(now: SystemTime().now)
            var report = CacheRotateKeyReport(target.location.file, from: before, to: after)
            if after.provider == .credentialFile {
                let isSame = before.provider == .credentialFile && place ?? target.keys.choice == target.keys.choice
                report.advice = CacheRotateKeyReport.advice(isSame ? nil : place)
            }
            return report
        }
    }

    /// The place that a text names.
    private static func place(_ text: String) throws(Failure) -> StoreKeyChoice {
        // Another error than this one could only speak of the variable that has the same values, and more.
        guard let place = try? StoreKeyChoice(text: text), place != .memory, place != .automatic else {
            throw .usage("--to takes \(places), not \(text).")
        }
        return place
    }
}

/// What a rotation changed.
struct CacheRotateKeyReport: Report, Encodable {
    var store: String
    var formerKeyProvider: String?
    var keyProvider: String?
    var records: Int
    /// What is left for the user to do. No member of the JSON: standard error has it.
    var advice: String?

    private enum CodingKeys: CodingKey {
        case store, formerKeyProvider, keyProvider, records
    }

    init(_ store: String, from before: StoreStatistics, to after: StoreStatistics) {
        self.store = store
        formerKeyProvider = before.provider?.rawValue
        keyProvider = after.provider?.rawValue
        records = after.records.values.reduce(0, +)
    }

    /// What a credential file needs: to be known to every program, and another one to replace it.
    ///
    /// `place`: Where the key is from now on; `nil` if that is the same file as before.
    static func advice(_ place: StoreKeyChoice?) -> String {
        if case .credentialFile(let file) = place {
            return "Every program that uses this store needs \(StoreKeyChoice.variable)=credential-file:\(file) now."
        }
        return "The credential file is only read: its key is the same, what it protects is new. To replace it, too, "
            + "make another file: msal cache rotate-key --to credential-file:PATH"
    }

    func text(_ style: Style) -> TerminalText {
        guard let kind = keyProvider.flatMap(KeyProviderKind.init(rawValue:)), kind != .none else {
            return formerKeyProvider == keyProvider
                ? "The store is not encrypted, so there is no key. To encrypt it: msal cache rotate-key --to key-file"
                : "\(style.good("✓")) Records in plain text now: \(records). Only the file's rights protect them."
        }
        let done = formerKeyProvider == keyProvider ? "New keys" : "The key was moved"
        return "\(style.good("✓")) \(done). Records sealed: \(records). The key is in: \(kind.choiceName)"
    }

    var raw: String { keyProvider ?? "" }
}
