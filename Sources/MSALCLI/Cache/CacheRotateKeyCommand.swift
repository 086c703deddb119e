// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache rotate-key`
struct CacheRotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Replace the store's keys, or move its key.",
        usage: "msal cache rotate-key [--to <place>] [options]",
        discussion: """
            Every record is encrypted again. Other processes can continue meanwhile, and an interruption does no harm: \
            the next run continues where this one stopped. --to moves the key to another location: secret-service, \
            portal, key-file, credential-file:PATH, or none for a store in plain text. If the key is already there, it \
            is replaced. MSAL_STORE_KEY names the current credential file, and --to its replacement.

            EXAMPLES
              msal cache rotate-key
              msal cache rotate-key --to secret-service
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("The new location of the key.", valueName: "place"),
        completion: .list(["secret-service", "portal", "key-file", "credential-file:", "none"])
    )
    var to: String?

    private static let places = "secret-service, portal, key-file, credential-file:PATH or none"

    func run() async throws {
        // The keyring may be locked, and only a person can unlock it.
        let target = try CacheTarget(group: cache.group, mayAskToUnlock: cache.mayAskToUnlock)
        try target.checkExistence()
        let report = try await change(target)
        try output.show(report)
        if let advice = report.advice { Terminal.errors.write("\(advice)") }
    }

    /// Replaces the keys, or moves them to another location.
    ///
    /// - Throws: `Failure` with the status `usage` if `--to` names no location; with `store` if the keys cannot be
    ///   changed.
    func change(_ target: CacheTarget) async throws(Failure) -> CacheRotateKeyReport {
        let place = try to.map { (text) throws(Failure) in try Self.place(text) }
        if Terminal.errors.isInteractive { Terminal.errors.write("Encrypting the records again…") }
        let rotation = try await WaitLine.waiting(for: .keyring(mayAsk: cache.mayAskToUnlock)) {
            () async throws(Failure) in
            try await target.run { try await $0.rotateKey(to: place) }
        }
        let after = try await target.run { _ in try await rotation.store.statistics() }
        var report = CacheRotateKeyReport(target.store.file, from: rotation.previousLocation, to: after.keyLocation)
        report.records = after.records.total
        if after.keyLocation == .credentialFile {
            let isSame =
                rotation.previousLocation == .credentialFile && rotation.store.protection == target.store.protection
            report.advice = CacheRotateKeyReport.advice(isSame ? nil : to)
        }
        return report
    }

    /// The location that a text names.
    private static func place(_ text: String) throws(Failure) -> MSALStoreProtection {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (MSALTokenStoreKeyLocation.allCases.first { $0.setting == parts[0] }, parts.dropFirst().first) {
        case (.secretService?, nil): return .secretService
        case (.portal?, nil): return .portal
        case (.keyFile?, nil): return .keyFile
        case (MSALTokenStoreKeyLocation.none?, nil): return .none
        case (.credentialFile?, let file?) where !file.isEmpty:
            return file.hasPrefix("/") ? .credentialFile(URL(filePath: String(file))) : .systemCredential(String(file))
        default: throw .usage("--to takes \(places), not \(text).")
        }
    }
}

/// The report of `msal cache rotate-key`.
struct CacheRotateKeyReport: Report, Encodable {
    var store: String
    var formerKeyProvider: String?
    var keyProvider: String?
    var records = 0
    /// The steps that the user has to take. They go to standard error and are not in the JSON.
    var advice: String?

    private enum CodingKeys: CodingKey {
        case store, formerKeyProvider, keyProvider, records
    }

    init(_ store: String, from before: MSALTokenStoreKeyLocation?, to after: MSALTokenStoreKeyLocation?) {
        self.store = store
        formerKeyProvider = before?.rawValue
        keyProvider = after?.rawValue
    }

    /// The advice for a credential file: only the user can replace it, and every program must be told of the new file.
    ///
    /// `place`: The new place of the key in the form of `--to`; `nil` if the file is the same as before.
    static func advice(_ place: String?) -> String {
        if let place { return "Every program that uses this store now needs MSAL_STORE_KEY=\(place)." }
        return "The credential file is read-only: its key is unchanged, and the keys that it protects are new. To "
            + "replace it too, create another file: msal cache rotate-key --to credential-file:PATH"
    }

    func text(_ style: Style) -> TerminalText {
        guard let kind = keyProvider.flatMap(MSALTokenStoreKeyLocation.init(rawValue:)), kind != .none else {
            return formerKeyProvider == keyProvider
                ? "The store is not encrypted, so there is no key. To encrypt it: msal cache rotate-key --to key-file"
                : "\(style.good("✓")) Records now in plain text: \(records). Only the file permissions protect them."
        }
        let done = formerKeyProvider == keyProvider ? "New keys" : "The key was moved"
        return "\(style.good("✓")) \(done). Records encrypted: \(records). The key is in: \(kind.setting)"
    }

    var raw: String { keyProvider ?? "" }
}
