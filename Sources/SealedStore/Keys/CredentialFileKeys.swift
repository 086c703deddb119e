// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import UserFiles

/// Reads the key from a file that the system or the operator provides: systemd's `LoadCredential=`, a secret of a CI
/// system, or a mounted volume. Such a file is never written.
///
/// The file contains 32 bytes, or their base64 or hexadecimal form. Every key name returns the same key.
package struct CredentialFileKeys: KeyProvider {
    /// The credential's name if none is configured.
    package static let usualName = "msal-store-key"

    private let file: String
    private let environment: [String: String]

    package var kind: KeyLocation { .credentialFile }

    /// `file`: An absolute path, or a name in `$CREDENTIALS_DIRECTORY`.
    package init(file: String, environment: [String: String]) {
        self.file = file
        self.environment = environment
    }

    package func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        let (path, isSystemCredential) = try location()
        var bytes = try read(path, isSystemCredential: isSystemCredential)
        defer { bytes.wipe() }
        guard let key = KeyText.key(bytes) else {
            throw unavailable(
                "\(path) contains no key",
                remedy: "It must contain 32 bytes, or their base64 or hexadecimal form. \(Self.recipe(path))"
            )
        }
        return key
    }

    package func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        guard let present = try self.key(name, keyAccess: keyAccess), present.isEqual(to: key) else {
            throw unavailable(
                "a credential file is never written, and it contains another key",
                remedy: "Let the store use the key that is in the file, or provide the new one there."
            )
        }
    }

    /// The file belongs to the operator, so it is kept.
    package func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {}

    private func location() throws(StoreError) -> (path: String, isSystemCredential: Bool) {
        let directory = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if file.hasPrefix("/") {
            // A path that leaves the directory again does not count as inside it.
            let isWithin = directory.map { file.hasPrefix($0 + "/") && !file.contains("/../") } ?? false
            return (file, isWithin)
        }
        guard !file.isEmpty, !file.contains("/"), file != "..", file != "." else {
            throw unavailable(
                "\"\(file)\" is neither an absolute path nor a name",
                remedy: "Name the file by its absolute path."
            )
        }
        guard let directory else {
            throw unavailable(
                "CREDENTIALS_DIRECTORY is not set, where the credential \(file) should be",
                remedy:
                    "Run the program as a systemd service with LoadCredential=\(file):<path>, or give the key's absolute "
                    + "path: \(StoreKeyChoice.variable)=credential-file:<path>."
            )
        }
        return (directory + "/" + file, true)
    }

    private func read(_ path: String, isSystemCredential: Bool) throws(StoreError) -> [UInt8] {
        var file = UserFile(path, limit: KeyText.maximumCount)
        // systemd protects its own directory. There, the group's permission bits only reflect an access control list.
        file.isPrivate = !isSystemCredential
        do throws(FileFault) {
            return try file.bytes()
        } catch {
            let remedy =
                error == .notPrivate
                ? "Make it yours and private: chown \(geteuid()) \(path) && chmod 600 \(path)" : Self.recipe(path)
            throw unavailable("\(path) \(error.reason)", remedy: remedy)
        }
    }

    private func unavailable(_ reason: String, remedy: String) -> StoreError {
        kind.unavailable("\(reason). \(remedy)")
    }

    private static func recipe(_ path: String) -> String {
        "Create a new key with: head -c 32 /dev/urandom > \(path) && chmod 600 \(path)"
    }
}
