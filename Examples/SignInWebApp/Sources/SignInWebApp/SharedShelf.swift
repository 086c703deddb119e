// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALServer

/// A shelf in the store in which the instances share their tokens, so that every instance knows every browser.
///
/// Like the library's tokens, the values are encrypted and their names are hashed. A dump of the store opens no session.
struct SharedShelf: Shelf {
    private let store: any MSALDistributedTokenStore
    private let nameKey: SymmetricKey
    private let valueKey: SymmetricKey

    /// A shelf in a store, with the secret that all instances have.
    init(_ store: any MSALDistributedTokenStore, secret: Data) {
        self.store = store
        // A separate purpose results in separate keys (HKDF, RFC 5869), which differ from the library's.
        func key(for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret),
                info: Data("sign-in-web-app.\(purpose)".utf8),
                outputByteCount: 32
            )
        }
        nameKey = key(for: "names")
        valueKey = key(for: "values")
    }

    func read(_ name: String) async throws -> Shelved? {
        guard let entry = try await store.read([place(of: name)]).first ?? nil else { return nil }
        // A value that cannot be decrypted was encrypted with another secret, or is damaged. The user signs in again.
        guard let box = try? AES.GCM.SealedBox(combined: entry.value),
            let value = try? AES.GCM.open(box, using: valueKey, authenticating: Data(name.utf8))
        else { return nil }
        return Shelved(value: value, version: entry.version.number)
    }

    func write(_ value: Data, to name: String, lifetime: Duration, over version: UInt64?) async throws -> Bool {
        // A value is bound to its name: a copy under another name cannot be decrypted.
        let box = try AES.GCM.seal(value, using: valueKey, authenticating: Data(name.utf8))
        return try await store.write(
            Array(box.combined ?? Data()),
            to: place(of: name),
            expiresIn: lifetime,
            if: version.map { .version(MSALStoreVersion($0)) } ?? .absent,
            lease: nil
        )
    }

    func remove(_ name: String) async throws { try await store.remove([place(of: name)]) }

    private func place(of name: String) -> MSALStoreName {
        let blinded = HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: nameKey)
        let text = blinded.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return MSALStoreName(text, in: MSALStorePartition(text))
    }
}
