// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// An encrypted value that is bound to one name: one byte for the format, one for the key's number, a 12-byte nonce,
/// the ciphertext, and a 16-byte tag (AES-256-GCM).
///
/// Each name has its own key, so random nonces are safe however much a service writes: no name is written 2^32 times.
package struct SealedValue: Sendable {
    /// The name that a value is bound to. The value can be decrypted only for this name.
    package struct Place: Sendable {
        let prefix: String
        let clientID: String
        let name: MSALStoreName

        package init(prefix: String, clientID: String, name: MSALStoreName) {
            self.prefix = prefix
            self.clientID = clientID
            self.name = name
        }

        fileprivate func context(under id: UInt8) -> [UInt8] {
            [SealedValue.form, id] + [UInt8](framing: [prefix, clientID, name.partition.text, name.text])
        }
    }

    package let bytes: [UInt8]

    /// Wraps a value that was read from a store.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Encrypts `plain`; `nil` if encryption fails, or if the value is too large for a store.
    package init?(_ plain: [UInt8], for place: Place, with key: MSALSealingKey) {
        guard plain.count <= Self.mostBytes - Self.overhead else { return nil }
        let context = place.context(under: key.id)
        // The nonce has the usual length, so there is a combined form.
        guard
            let sealed = try? AES.GCM.seal(plain, using: key.valueKey(for: context), authenticating: context).combined
        else { return nil }
        bytes = [Self.form, key.id] + sealed
    }

    /// Decrypts a value for this name with one of the keys; `nil` if that fails.
    package func opened(for place: Place, with keys: [MSALSealingKey]) -> [UInt8]? {
        guard bytes.count <= Self.mostBytes, bytes.count >= Self.overhead, bytes[0] == Self.form,
            let key = keys.first(where: { $0.id == bytes[1] })
        else { return nil }
        let context = place.context(under: key.id)
        // Bytes that cannot be decrypted are a result, not an error.
        guard let box = try? AES.GCM.SealedBox(combined: bytes[2...]),
            let plain = try? AES.GCM.open(box, using: key.valueKey(for: context), authenticating: context)
        else { return nil }
        return Array(plain)
    }

    /// 64 KiB.
    package static let mostBytes = 64 << 10
    private static let form: UInt8 = 1
    /// The bytes that sealing adds: the form and the number of the key, the nonce, and the tag.
    static let overhead = 2 + 12 + 16
}

extension MSALSealingKey {
    /// The key for one name.
    fileprivate func valueKey(for context: [UInt8]) -> SymmetricKey {
        var code = valueCode
        code.update(data: context)
        return SymmetricKey(data: code.finalize())
    }
}
