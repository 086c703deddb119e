// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALSupport

/// Azure CLI's own token cache.
struct AzureCLICache {
    /// Microsoft's registration of Azure CLI, to which its tokens belong.
    static let clientID = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

    private let folder: String

    init(environment: [String: String]) {
        let home = environment["HOME"] ?? ""
        folder = environment["AZURE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.azure"
    }

    var path: String { folder + "/msal_token_cache.json" }

    /// The cache, read without its lock, as its own readers do: they try again if the text is half-written.
    ///
    /// - Throws: `Failure` that says why there is nothing to read, and what helps.
    func document(time: any TimeSource) async throws -> CacheDocument {
        guard access(path, F_OK) == 0 else { throw absence }
        for _ in 0..<3 {
            let text = try CacheText.read(path)
            // What cannot be read three times is read once more below, for the reason.
            if let document = try? CacheText.document(text) { return document }
            try await time.sleep(for: .milliseconds(500))
        }
        return try CacheText.document(try CacheText.read(path))
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
                "Azure CLI keeps its tokens in the keyring, not in \(path).",
                remedy: "Run: secret-tool lookup type 'Token cache' | msal cache import -"
            )
        }
        return .file("There is no cache of Azure CLI at \(path).", remedy: "Run: az login")
    }
}
