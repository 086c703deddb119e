// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// A key that seals and opens values: AES-256-GCM with a new random nonce for every value.
///
/// A sealed value consists of one byte for the format, a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes.
/// Random nonces are safe for 2^32 values per key; stores rotate keys after 2^30.
struct SealingKey: Sendable {
    /// The purpose of a key. Each purpose has its own subkey (HKDF-SHA256, RFC 5869).
    enum Purpose: String, Sendable {
        /// The key seals the payloads of rows.
        case seal
        /// The key computes the blind indexes.
        case index
        /// The key seals other keys.
        case wrap
        /// The key computes the MAC over the file's key list.
        case vouch
    }

    /// The name of the key in the rows that it sealed.
    let id: String
    private let material: KeyMaterial

    private static let format: UInt8 = 1

    /// The subkey of `root` for one purpose; `nil` only if memory is exhausted.
    init?(id: String, root: KeyMaterial, purpose: Purpose) {
        guard let material = root.subkey(purpose) else { return nil }
        self.id = id
        self.material = material
    }

    /// Seals `plain` for one position.
    func seal(_ plain: some DataProtocol, for context: SealContext) throws(StoreError) -> Data {
        do {
            let box = try AES.GCM.seal(plain, using: material.symmetric, authenticating: context.authenticatedData)
            var sealed = Data(capacity: 29 + plain.count)
            sealed.append(Self.format)
            // Nonce, ciphertext, and tag, in this order.
            guard let combined = box.combined else { preconditionFailure("The nonce has the usual length.") }
            sealed.append(combined)
            return sealed
        } catch {
            throw StoreError(.unwritable, message: "The token store's encryption failed.", underlying: error)
        }
    }

    /// The value that was sealed for this position with this key; `nil` for anything else.
    func open(_ sealed: Data, for context: SealContext) -> Data? {
        guard sealed.first == Self.format else { return nil }
        // Bytes that do not open are a result and not an error. The caller counts the row and keeps it.
        guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()) else { return nil }
        return try? AES.GCM.open(box, using: material.symmetric, authenticating: context.authenticatedData)
    }
}

extension KeyMaterial {
    /// The key for the cryptography library, which wipes its copy.
    var symmetric: SymmetricKey { withBytes { SymmetricKey(data: $0) } }

    /// A key of 32 random bytes; `nil` only if memory is exhausted.
    static func random() -> KeyMaterial? {
        SymmetricKey(size: .bits256).withUnsafeBytes { KeyMaterial($0) }
    }

    func subkey(_ purpose: SealingKey.Purpose) -> KeyMaterial? {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: symmetric,
            info: Data(utf8: "msal.swift.store.\(purpose.rawValue)"),
            outputByteCount: KeyMaterial.count
        )
        return derived.withUnsafeBytes { KeyMaterial($0) }
    }
}
