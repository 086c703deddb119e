// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal cache rotate-key`
struct CacheRotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Give the store new keys, or move its key elsewhere.",
        discussion: """
            Every row is sealed anew. Other processes may go on meanwhile, and an interruption does no harm: the next \
            run goes on where this one stopped. --to names another place for the key: secret-service, key-file, \
            credential-file:PATH, or none for a store in plain text.

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
        let patience = KeyPatience(mayPrompt: Terminal.errors.isInteractive)
        let before = try target.run { (store) throws(StoreError) in try store.statistics(now: SystemTime().now) }
        if Terminal.errors.isInteractive {
            Terminal.errors.write("Sealing the records anew: \(before.records.values.reduce(0, +))…")
        }
        let provider = try to.map { (text) throws(Failure) in try Self.provider(text, target) }
        try target.run { (store) throws(StoreError) in
            if let provider {
                try provider.store.migrate(to: provider.keys, patience)
            } else {
                try store.rotateKeys(patience)
            }
        }
        let store = provider?.store ?? target.store
        let after = try target.run { (_) throws(StoreError) in try store.statistics(now: SystemTime().now) }
        try output.show(CacheRotateKeyReport(target.location.file, from: before, to: after))
    }

    /// The provider that a text names, and the store as it is seen with it.
    private static func provider(
        _ text: String,
        _ target: CacheTarget
    ) throws(Failure) -> (keys: (any KeyProvider)?, store: SQLiteStore) {
        do throws(StoreError) {
            // Another error than this one could only speak of the variable that has the same values, and more.
            guard let choice = try? StoreKeyChoice(text: text), choice != .memory, choice != .automatic else {
                throw StoreError(.invalidKeyChoice, "--to takes \(places), not \(text).")
            }
            let keys = StoreKeys(choice, environment: target.environment)
            return (try keys.providerForNewStore(KeyPatience()), SQLiteStore(location: target.location, keys: keys))
        } catch {
            throw .usage(error.message)
        }
    }
}

/// What a rotation changed.
struct CacheRotateKeyReport: Report, Encodable {
    var store: String
    var formerKeyProvider: String?
    var keyProvider: String?
    var records: Int

    init(_ store: String, from before: StoreStatistics, to after: StoreStatistics) {
        self.store = store
        formerKeyProvider = before.provider?.rawValue
        keyProvider = after.provider?.rawValue
        records = after.records.values.reduce(0, +)
    }

    func text(_ style: Style) -> String {
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
