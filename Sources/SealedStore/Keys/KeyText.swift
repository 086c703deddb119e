// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// The forms in which a key is kept outside of the store.
enum KeyText {
    /// More bytes than the longest form has, white space around it included.
    static let maximumCount = 128

    /// The key that `bytes` hold: 32 bytes as they are, or base64 or hexadecimal text with white space around it.
    static func key(_ bytes: [UInt8]) -> KeyMaterial? {
        if bytes.count == KeyMaterial.count { return KeyMaterial(bytes) }
        guard bytes.count <= maximumCount, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return key(text: text)
    }

    /// The key that a base64 or hexadecimal text holds.
    static func key(text: String) -> KeyMaterial? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        var bytes = hexadecimal(text) ?? Base64URL.decode(text).map(Array.init) ?? []
        defer { bytes.wipe() }
        return KeyMaterial(bytes)
    }

    /// 64 hexadecimal digits; base64 of 32 bytes has 43 or 44 characters. So the two cannot be confused.
    private static func hexadecimal(_ text: String) -> [UInt8]? {
        Hexadecimal.bytes(text).flatMap { $0.count == KeyMaterial.count ? $0 : nil }
    }
}

extension [UInt8] {
    /// Overwrites a secret that was needed for a moment. Copies that somebody else made stay.
    mutating func wipe() {
        withUnsafeMutableBytes { buffer in
            if let address = buffer.baseAddress { explicit_bzero(address, buffer.count) }
        }
    }
}

extension KeyMaterial {
    /// Compares in constant time.
    func isEqual(to other: KeyMaterial) -> Bool {
        withBytes { mine in
            other.withBytes { theirs in zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
        }
    }
}
