// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import UserFiles

/// Tokens of registries on disk, until they end.
///
/// Each is sealed with a key that is made of the token of Entra ID it was exchanged for. That token is in the sealed store
/// alone, so a copy of these files says nothing; and when it is renewed, the registry is asked again.
struct RegistryTokens {
    let folder: URL
    let now: Date

    /// What is not used shortly before its end: a pull takes its time.
    private static let leeway: TimeInterval = 300
    private static let maximumFile = 64 << 10

    /// The folder beside the token store.
    init(beside store: String, now: Date = Date()) {
        folder = URL(filePath: store).appending(path: "registries")
        self.now = now
    }

    /// The token that was kept for a registry; `nil` if there is none that is good.
    func token(for host: String, exchangedFor accessToken: PrivateText) -> PrivateText? {
        let sealing = Sealing(host: host, accessToken: accessToken)
        // A file that is missing, damaged or sealed with another key is as good as none: the registry is asked.
        guard let bytes = try? UserFile(file(sealing).path(), limit: Self.maximumFile).bytes(),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let text = try? AES.GCM.open(box, using: sealing.key, authenticating: Data(host.utf8)),
            let kept = try? JSONDecoder().decode(Kept.self, from: text),
            kept.end.timeIntervalSince(now) > Self.leeway
        else { return nil }
        return PrivateText(kept.token)
    }

    /// Keeps a token, if it says when it ends. Files of tokens that have ended are removed.
    func keep(_ token: PrivateText, for host: String, exchangedFor accessToken: PrivateText) {
        guard let end = Self.end(of: token), end > now else { return }
        let sealing = Sealing(host: host, accessToken: accessToken)
        guard let text = try? JSONEncoder().encode(Kept(token: token.exposed, end: end)),
            let box = try? AES.GCM.seal(text, using: sealing.key, authenticating: Data(host.utf8)).combined
        else { return }
        // Without the folder, the next call asks the registry again.
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        sweep()
        let place = file(sealing)
        let draft = folder.appending(path: ".\(UUID().uuidString)")
        let made = FileManager.default.createFile(
            atPath: draft.path(),
            contents: box,
            attributes: [.posixPermissions: 0o600, .modificationDate: end]
        )
        guard made, rename(draft.path(), place.path()) == 0 else {
            unlink(draft.path())
            return
        }
        try? FileManager.default.setAttributes([.modificationDate: end], ofItemAtPath: place.path())
    }

    private struct Kept: Codable {
        var token: String
        var end: Date
    }

    /// The key and the file's name, both of the token and the registry.
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

    private func file(_ sealing: Sealing) -> URL { folder.appending(path: sealing.name) }

    /// A file's time is the end of its token.
    private func sweep() {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        for file in files ?? [] {
            let end = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let end, end < now { unlink(file.path()) }
        }
    }

    /// The end that a token says itself (RFC 7519 §4.1.4). Nothing is trusted because of it: the registry decides.
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
