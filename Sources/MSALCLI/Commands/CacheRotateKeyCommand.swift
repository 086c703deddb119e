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

    @Option(help: ArgumentHelp("Where the key is to be kept from now on.", valueName: "place"))
    var to: String?

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try target.checkExistence()
        // A keyring may have to be unlocked; only a person can do that.
        let patience = KeyPatience(mayPrompt: Terminal.errors.isInteractive)
        let before = try target.run { (store) throws(StoreError) in try store.statistics(now: SystemTime().now) }
        if Terminal.errors.isInteractive {
            Terminal.errors.write("Sealing \(before.records.values.reduce(0, +)) records anew…")
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
        output.show(CacheRotateKeyReport(target.location.file, from: before, to: after))
    }

    /// The provider that a text names, and the store as it is seen with it.
    private static func provider(
        _ text: String,
        _ target: CacheTarget
    ) throws(Failure) -> (keys: (any KeyProvider)?, store: SQLiteStore) {
        do throws(StoreError) {
            let choice = try StoreKeyChoice(text: text)
            guard choice != .memory, choice != .automatic else {
                throw StoreError(.keyUnavailable, "--to names one place: \(text) is none.")
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
        guard let keyProvider, keyProvider != KeyProviderKind.none.rawValue else {
            return formerKeyProvider == keyProvider
                ? "The store is not encrypted, so there is no key. To encrypt it: msal cache rotate-key --to key-file"
                : "\(style.good("✓")) \(records) records are in plain text now; only the file's rights protect them."
        }
        let place = formerKeyProvider == keyProvider ? "new keys" : "its key moved"
        return "\(style.good("✓")) \(place), \(records) records sealed; the key is in: \(keyProvider)"
    }

    var raw: String { keyProvider ?? "" }
}
