// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The token cache of Azure CLI.
struct AzureCLICache {
    /// The client id of Azure CLI. Its tokens belong to this client.
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
