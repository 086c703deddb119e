// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// A key that closes and opens values: AES-256-GCM with a new random nonce for every value.
///
/// A sealed value is one byte for the format, 12 of nonce, the ciphertext, and 16 of tag.
/// Random nonces are safe for 2^32 values of one key; stores change keys at 2^30.
struct SealingKey: Sendable {
    /// The purpose of a key. Each has a sub-key of its own (HKDF-SHA256, RFC 5869).
    enum Purpose: String, Sendable {
        /// The key seals the payloads of rows.
        case seal
        /// The key makes the blind indexes.
        case index
        /// The key seals other keys.
        case wrap
        /// The key makes the MAC over the statements of the file about its keys.
        case vouch
    }

    /// The name of the key in the rows that it closed.
    let id: String
    private let material: KeyMaterial

    private static let format: UInt8 = 1

    /// The sub-key of `root` for one purpose; `nil` only if no memory is left.
    init?(id: String, root: KeyMaterial, purpose: Purpose) {
        guard let material = root.subkey(purpose) else { return nil }
        self.id = id
        self.material = material
    }

    /// Closes `plain` for one place.
    func seal(_ plain: some DataProtocol, for context: SealContext) throws(StoreError) -> Data {
        do {
            let box = try AES.GCM.seal(plain, using: material.symmetric, authenticating: context.authenticatedData)
            var sealed = Data(capacity: 29 + plain.count)
            sealed.append(Self.format)
            // Nonce, ciphertext and tag, in this order.
            guard let combined = box.combined else { preconditionFailure("The nonce has the usual length.") }
            sealed.append(combined)
            return sealed
        } catch {
            throw StoreError(.unwritable, message: "The token store's encryption failed.", underlying: error)
        }
    }

    /// The value that was closed for this place with this key; `nil` for anything else.
    func open(_ sealed: Data, for context: SealContext) -> Data? {
        guard sealed.first == Self.format else { return nil }
        // Bytes that do not open are a result and not a failure. The caller counts the row and keeps it.
        guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()) else { return nil }
        return try? AES.GCM.open(box, using: material.symmetric, authenticating: context.authenticatedData)
    }
}

extension KeyMaterial {
    /// The key for the library of ciphers, which wipes its copy.
    var symmetric: SymmetricKey { withBytes { SymmetricKey(data: $0) } }

    /// A key of 32 random bytes; `nil` only if no memory is left.
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
