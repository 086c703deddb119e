// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The wrapping key, which seals and opens data keys. Its MAC protects the key list in the file.
struct WrappingKey: Sendable {
    /// The name of the key at its provider.
    let id: String
    /// The store whose data keys it seals.
    let store: String
    /// The MAC that shows whether the file was changed without this key.
    let mac: StoreMAC
    private let sealing: SealingKey

    init(_ key: KeyMaterial, id: String, store: String) throws(StoreError) {
        guard let sealing = SealingKey(id: id, root: key, purpose: .wrap), let mac = StoreMAC(key) else {
            throw Self.outOfMemory
        }
        self.id = id
        self.store = store
        self.mac = mac
        self.sealing = sealing
    }

    /// Seals a data key for the row of its name.
    func wrap(_ key: KeyMaterial, id: String) throws(StoreError) -> Data {
        let context = context(id)
        return try key.withBytes { (bytes) throws(StoreError) in try sealing.seal(bytes, for: context) }
    }

    /// The data key of this name; `nil` if another key wrapped it or the bytes were changed.
    func unwrap(_ wrapped: Data, id: String) -> KeyMaterial? {
        guard var plain = sealing.open(wrapped, for: context(id)) else { return nil }
        defer { plain.resetBytes(in: plain.indices) }
        return KeyMaterial(plain)
    }

    /// A new random key.
    static func newKey() throws(StoreError) -> KeyMaterial {
        guard let key = KeyMaterial.random() else { throw outOfMemory }
        return key
    }

    /// A new random name for a key: 16 hexadecimal digits.
    static func newID() -> String { Hexadecimal.text([UInt8].random(count: 8)) }

    /// Whether a text is a valid key name. The name becomes part of a path and may come from a file that others wrote.
    static func isID(_ text: String) -> Bool {
        let (digits, letters) = (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"))
        return (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { digits.contains($0) || letters.contains($0) }
    }

    static let outOfMemory = StoreError(.keyUnavailable, message: "There is no memory left for the token store's key.")

    /// Whether it wrapped at least one of these data keys, and therefore is the right key.
    func opensAny(of rows: [StoredKeys.Row]) -> Bool {
        rows.contains { unwrap($0.wrapped, id: $0.id) != nil }
    }

    private func context(_ keyID: String) -> SealContext {
        SealContext(store: store, table: .keys, row: Data(utf8: keyID), kind: 0, keyID: id)
    }
}
