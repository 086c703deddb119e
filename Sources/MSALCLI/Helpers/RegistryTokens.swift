// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import UserFiles

/// Keeps tokens of registries on disk until they expire.
///
/// Each token is encrypted. Its key is derived from the token of Entra ID that was exchanged for it. Only the encrypted
/// token store holds that token, so a copy of these files reveals nothing. When the token of Entra ID is renewed, the
/// registry is asked again.
struct RegistryTokens {
    let folder: URL
    let now: Date

    /// A token is not used in the last five minutes of its life, because a pull takes time.
    private static let leeway: TimeInterval = 300
    private static let maximumFile = 64 << 10

    /// Uses the directory next to the token store.
    init(beside store: String, now: Date = Date()) {
        folder = URL(filePath: store).appending(path: "registries")
        self.now = now
    }

    /// The stored token of a registry; `nil` if there is none that can be used.
    func token(for host: String, exchangedFor accessToken: PrivateText) -> PrivateText? {
        let sealing = Sealing(host: host, accessToken: accessToken)
        // If the file is missing, damaged or encrypted with another key, the registry is asked.
        guard let bytes = try? UserFile(file(sealing), limit: Self.maximumFile).bytes(),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let text = try? AES.GCM.open(box, using: sealing.key, authenticating: Data(host.utf8)),
            let kept = try? JSONDecoder().decode(Kept.self, from: text),
            kept.end.timeIntervalSince(now) > Self.leeway
        else { return nil }
        return PrivateText(kept.token)
    }

    /// Stores a token if it names its expiry. Files of expired tokens are deleted.
    func keep(_ token: PrivateText, for host: String, exchangedFor accessToken: PrivateText) {
        guard let end = Self.end(of: token), end > now else { return }
        let sealing = Sealing(host: host, accessToken: accessToken)
        guard let text = try? JSONEncoder().encode(Kept(token: token.exposed, end: end)),
            let box = try? AES.GCM.seal(text, using: sealing.key, authenticating: Data(host.utf8)).combined
        else { return }
        // Without the folder or the file, the next call asks the registry again.
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        sweep()
        let place = file(sealing)
        guard (try? UserFile.write(box, to: place, replacing: true)) != nil else { return }
        try? FileManager.default.setAttributes([.modificationDate: end], ofItemAtPath: place)
    }

    private struct Kept: Codable {
        var token: String
        var end: Date
    }

    /// The key and the file's name. Both are derived from the token of Entra ID and the registry.
    private struct Sealing {
        let key: SymmetricKey
        let name: String

        init(host: String, accessToken: PrivateText) {
            let secret = SymmetricKey(data: Data(accessToken.exposed.utf8))
            func derived(_ purpose: String) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: secret,
                    info: Data("msal docker-credential \(purpose) \(host)".utf8),
                    outputByteCount: 32
                )
            }
            key = derived("key")
            name = derived("name").withUnsafeBytes { $0.prefix(16).map { String(format: "%02x", $0) }.joined() }
        }
    }

    private func file(_ sealing: Sealing) -> String {
        folder.appending(path: sealing.name).path(percentEncoded: false)
    }

    /// Deletes the files of expired tokens. The modification time of a file is the expiry of its token.
    private func sweep() {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        for file in files ?? [] {
            let end = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let end, end < now { unlink(file.path(percentEncoded: false)) }
        }
    }

    /// The expiry that a token names (RFC 7519 §4.1.4). It is not trusted: the registry checks the token.
    static func end(of token: PrivateText) -> Date? {
        let parts = token.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text),
            let claims = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let seconds = (claims["exp"] as? NSNumber)?.doubleValue, seconds.isFinite, (0...1e11).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}
