// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import UserFiles

/// `msal cache import`
struct CacheImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Merge a token cache of another Microsoft library into the store.",
        usage: "msal cache import <file> | --azure-cli [options]",
        discussion: """
            Reads the JSON that MSAL for Python, .NET, Go, Java and Node, msal-extensions and Azure CLI write. The \
            import is atomic and deletes nothing. If a record exists in both, the newer one is kept. Data that this \
            library does not know is kept for exports. The limit is 1 GiB for a file and 64 MiB for a pipe.

            EXAMPLES
              msal cache import tokens.json
              msal cache import --azure-cli
              secret-tool lookup MsalClientID my-app | msal cache import -
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Flag(help: "Import Azure CLI's cache: msal_token_cache.json in $AZURE_CONFIG_DIR or ~/.azure.")
    var azureCli = false

    func validate() throws {
        guard (file == nil) == azureCli else { throw ValidationError("Pass a file, or --azure-cli.") }
    }

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        let text =
            if let file { try CacheText.read(file) } else {
                try await AzureCLICache(environment: target.environment).read()
            }
        if text.count > 1 << 20, Terminal.errors.isInteractive {
            Terminal.errors.write("Importing \(text.count >> 10) KiB…")
        }
        let merged = try await merge(text, into: target)
        try output.show(CacheImportReport(merged, path: target.store.file, isAzureCLI: azureCli))
    }

    /// - Throws: `Failure`, with the status `failed` if the text is not a token cache.
    func merge(_ text: Data, into target: CacheTarget) async throws(Failure) -> MSALTokenStoreImport {
        do {
            return try await target.store.importCache(text)
        } catch {
            let error = error as NSError
            guard error.storeFailure == nil else { throw Failure(store: error) }
            throw .file(error.userMessage, remedy: "Nothing was changed.")
        }
    }
}

/// The report of `msal cache import`.
struct CacheImportReport: Report, Encodable {
    var store: String
    var added: [String: Int]
    var updated: [String: Int]
    var unchanged: [String: Int]
    var keptAside: Int
    var ignored: Int
    private let isAzureCLI: Bool
    private let merged: MSALTokenStoreImport

    init(_ merged: MSALTokenStoreImport, path: String, isAzureCLI: Bool) {
        func counts(_ count: KeyPath<MSALTokenStoreImport.Counts, Int>) -> [String: Int] {
            let kinds = MSALTokenStoreRecordKind.allCases.filter { $0 != .accountMetadata }
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
        keptAside = merged.keptAside
        ignored = merged.ignored
    }

    private enum CodingKeys: String, CodingKey {
        case store, added, updated, unchanged, keptAside, ignored
    }

    func text(_ style: Style) -> TerminalText {
        var lines: [TerminalText] = []
        for (title, count) in [("Added", \MSALTokenStoreImport.Counts.added), ("Updated", \.updated)] {
            let parts = MSALTokenStoreRecordKind.allCases.compactMap { kind in
                merged.records[kind].map { $0[keyPath: count] }.flatMap { $0 > 0 ? kind.words($0) : nil }
            }
            if !parts.isEmpty { lines.append("\(style.good("✓")) \(title) \(parts.joined(separator: ", ")).") }
        }
        if lines.isEmpty { lines.append("Nothing new was found.") }
        if keptAside > 0 { lines.append("Kept for exports, unknown or unusable: \(keptAside).") }
        if ignored > 0 { lines.append("Skipped, sign-in metadata of the other library: \(ignored).") }
        if isAzureCLI {
            lines.append("Azure CLI's tokens belong to its own client ID: --client-id \(AzureCLICache.clientID)")
        }
        return lines.joined(separator: "\n")
    }

    var raw: String { String(added.values.reduce(0, +) + updated.values.reduce(0, +)) }
}

/// The token cache of Azure CLI.
struct AzureCLICache {
    /// The client ID of Azure CLI. Its tokens belong to this client.
    static let clientID = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

    private let folder: String

    init(environment: [String: String]) {
        let home = environment["HOME"] ?? ""
        folder = environment["AZURE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.azure"
    }

    var path: String { folder + "/msal_token_cache.json" }

    /// The text of the cache. It is read without a lock, as Azure CLI reads it. If the text is only half written, it is
    /// read again.
    ///
    /// - Throws: `Failure` with the reason why there is nothing to read, and the remedy; `CancellationError`.
    func read() async throws -> Data {
        guard access(path, F_OK) == 0 else { throw absence }
        for _ in 0..<3 {
            let text = try CacheText.read(path)
            // A half-written text is not valid JSON.
            if (try? JSONSerialization.jsonObject(with: text)) != nil { return text }
            try await Task.sleep(for: .milliseconds(500))
        }
        // The last text is returned even if it is damaged. The import then reports what is wrong.
        return try CacheText.read(path)
    }

    private var absence: Failure {
        let encrypted = folder + "/msal_token_cache.bin"
        if access(encrypted, F_OK) == 0 {
            return .file(
                "\(encrypted) is encrypted for Windows and cannot be read on Linux.",
                remedy: "Sign in with Azure CLI on this machine first: az login"
            )
        }
        if access(folder + "/msal_token_cache.sig", F_OK) == 0 {
            return .file(
                "Azure CLI stores its tokens in the keyring, not in \(path).",
                remedy: "Run: secret-tool lookup type 'Token cache' | msal cache import -"
            )
        }
        return .file("There is no Azure CLI token cache at \(path).", remedy: "Run: az login")
    }
}

/// Reads token caches as text: from files, or from pipes.
enum CacheText {
    /// The most that is read from a pipe, in bytes. The caches of Microsoft's libraries have a few KiB for each account.
    private static let pipeLimit = 64 << 20

    /// The bytes of a file or a pipe; `-` is standard input. A pipe has `timeout` for all that it brings.
    ///
    /// - Throws: `Failure` that names the file and what is wrong with it.
    static func read(_ path: String, timeout: Duration = UserFile.timeout) throws(Failure) -> Data {
        let limit = MSALTokenStore.maximumImportSize
        do throws(FileFault) {
            guard path != "-" else { return Data(try UserFile.standardInput(limit: limit, pipeLimit: pipeLimit)) }
            var file = UserFile(path, limit: limit, pipeTimeout: timeout)
            file.pipeLimit = pipeLimit
            return Data(try file.bytes())
        } catch {
            let name = path == "-" ? "Standard input" : path
            guard error != .tooLarge(limit: pipeLimit) else {
                throw .file(
                    "\(name) has more than \(pipeLimit >> 20) MiB, the limit for a pipe.",
                    remedy: "Write the cache to a file, and pass the file. Its limit is \(limit >> 30) GiB."
                )
            }
            throw .file("\(name) \(error.reason).")
        }
    }
}
