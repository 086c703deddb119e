// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALSupport
import SealedStore

/// `msal cache import`
struct CacheImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Merge a token cache of another Microsoft library into the store.",
        usage: "msal cache import <file> | --azure-cli [options]",
        discussion: """
            Understands the JSON that MSAL for Python, .NET, Go, Java and Node, msal-extensions and Azure CLI write. \
            All of it goes in, or nothing; nothing is deleted. Of two records of one thing the newer stays. What this \
            library does not know is kept for exports.

            EXAMPLES
              msal cache import tokens.json
              msal cache import --azure-cli
              secret-tool lookup MsalClientID my-app | msal cache import -
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The file; - is standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Flag(help: "Import Azure CLI's cache: msal_token_cache.json in $AZURE_CONFIG_DIR or ~/.azure.")
    var azureCli = false

    func validate() throws {
        guard (file == nil) == azureCli else { throw ValidationError("Name a file, or pass --azure-cli.") }
    }

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        let document: CacheDocument
        if let file {
            document = try CacheText.document(try CacheText.read(file))
        } else {
            document = try await AzureCLICache(environment: target.environment).document(time: SystemTime())
        }
        let count = document.records.count
        if count > 1000, Terminal.errors.isInteractive { Terminal.errors.write("Importing \(count) records…") }
        let merged = try target.run { (store) throws(StoreError) in try store.merge(document) }
        try output.show(CacheImportReport(merged, path: target.location.file, isAzureCLI: azureCli))
    }
}

/// What an import changed.
struct CacheImportReport: Report, Encodable {
    var store: String
    var added: [String: Int]
    var updated: [String: Int]
    var unchanged: [String: Int]
    var keptAside: Int
    var ignored: Int
    private let isAzureCLI: Bool
    private let merged: ImportReport

    init(_ merged: ImportReport, path: String, isAzureCLI: Bool) {
        func counts(_ count: KeyPath<ImportReport.Counts, Int>) -> [String: Int] {
            let kinds = RecordKind.allCases.filter { $0 != .accountMetadata }
            return Dictionary(
                uniqueKeysWithValues: kinds.map { ($0.memberName, merged.records[$0]?[keyPath: count] ?? 0) }
            )
        }
        self.merged = merged
        self.isAzureCLI = isAzureCLI
        store = path
        added = counts(\.added)
        updated = counts(\.updated)
        unchanged = counts(\.unchanged)
        keptAside = merged.extras
        ignored = merged.ignored
    }

    private enum CodingKeys: String, CodingKey {
        case store, added, updated, unchanged, keptAside, ignored
    }

    func text(_ style: Style) -> TerminalText {
        var lines: [TerminalText] = []
        for (title, count) in [("Added", \ImportReport.Counts.added), ("Updated", \.updated)] {
            let parts = RecordKind.shown.compactMap { kind in
                merged.records[kind].map { $0[keyPath: count] }.flatMap { $0 > 0 ? kind.words($0) : nil }
            }
            if !parts.isEmpty { lines.append("\(style.good("✓")) \(title) \(parts.joined(separator: ", ")).") }
        }
        if lines.isEmpty { lines.append("Nothing was new.") }
        if keptAside > 0 { lines.append("Kept aside for exports, unknown or unusable: \(keptAside).") }
        if ignored > 0 { lines.append("Left out, notes of the other library on sign-ins: \(ignored).") }
        if isAzureCLI {
            lines.append("Azure CLI's tokens belong to its own client id: --client-id \(AzureCLICache.clientID)")
        }
        return lines.joined(separator: "\n")
    }

    var raw: String { String(added.values.reduce(0, +) + updated.values.reduce(0, +)) }
}
