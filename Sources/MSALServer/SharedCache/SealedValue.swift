// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// A value that is closed for one place: one byte for the form, one for the key's number, 12 of nonce, the ciphertext, and 16
/// of tag (AES-256-GCM).
///
/// Each place has a key of its own, so that random nonces are safe however much a service writes: no place is written 2^32
/// times.
package struct SealedValue: Sendable {
    /// The place of a value. The value opens nowhere else.
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

    /// A value that came from a store.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Closes `plain`; `nil` if the cipher fails, or if it is too large for a store.
    package init?(_ plain: [UInt8], for place: Place, with key: MSALSealingKey) {
        guard plain.count <= Self.mostBytes - Self.overhead else { return nil }
        let context = place.context(under: key.id)
        // The nonce has the usual length, so there is a combined form.
        guard
            let sealed = try? AES.GCM.seal(plain, using: key.valueKey(for: context), authenticating: context).combined
        else { return nil }
        bytes = [Self.form, key.id] + sealed
    }

    /// What was closed for this place with one of the keys; `nil` for anything else.
    package func opened(for place: Place, with keys: [MSALSealingKey]) -> [UInt8]? {
        guard bytes.count <= Self.mostBytes, bytes.count >= Self.overhead, bytes[0] == Self.form,
            let key = keys.first(where: { $0.id == bytes[1] })
        else { return nil }
        let context = place.context(under: key.id)
        // Bytes that do not open are a result and not a failure.
        guard let box = try? AES.GCM.SealedBox(combined: bytes[2...]),
            let plain = try? AES.GCM.open(box, using: key.valueKey(for: context), authenticating: context)
        else { return nil }
        return Array(plain)
    }

    /// 64 KiB.
    static let mostBytes = 64 << 10
    private static let form: UInt8 = 1
    /// The bytes that sealing adds: the form and the number of the key, the nonce, and the tag.
    static let overhead = 2 + 12 + 16
}

extension MSALSealingKey {
    /// The key of one place.
    fileprivate func valueKey(for context: [UInt8]) -> SymmetricKey {
        var code = valueCode
        code.update(data: context)
        return SymmetricKey(data: code.finalize())
    }
}
