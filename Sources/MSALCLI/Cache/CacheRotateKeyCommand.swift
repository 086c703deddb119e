// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache rotate-key`
struct CacheRotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Give the store new keys, or move its key elsewhere.",
        usage: "msal cache rotate-key [--to <place>] [options]",
        discussion: """
            Every row is sealed anew. Other processes may go on meanwhile, and an interruption does no harm: the next \
            run goes on where this one stopped. --to names another place for the key: secret-service, portal, \
            key-file, credential-file:PATH, or none for a store in plain text. Where the key is in that place already, it is \
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

    /// Replaces the keys, or moves them to another place.
    ///
    /// - Throws: `Failure` with the status `usage` if `--to` names no place; with `store` if the keys cannot be changed.
    func change(_ target: CacheTarget) async throws(Failure) -> CacheRotateKeyReport {
        let place = try to.map { (text) throws(Failure) in try Self.place(text) }
        if Terminal.errors.isInteractive { Terminal.errors.write("Sealing the records anew…") }
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

    /// The place that a text names.
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
        if let place { return "Every program that uses this store needs MSAL_STORE_KEY=\(place) now." }
        return "The credential file is only read: its key is the same, what it protects is new. To replace it, too, "
            + "make another file: msal cache rotate-key --to credential-file:PATH"
    }

    func text(_ style: Style) -> TerminalText {
        guard let kind = keyProvider.flatMap(MSALTokenStoreKeyLocation.init(rawValue:)), kind != .none else {
            return formerKeyProvider == keyProvider
                ? "The store is not encrypted, so there is no key. To encrypt it: msal cache rotate-key --to key-file"
                : "\(style.good("✓")) Records in plain text now: \(records). Only the file's rights protect them."
        }
        let done = formerKeyProvider == keyProvider ? "New keys" : "The key was moved"
        return "\(style.good("✓")) \(done). Records sealed: \(records). The key is in: \(kind.setting)"
    }

    var raw: String { keyProvider ?? "" }
}
