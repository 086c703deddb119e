// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// The encodings of a key outside of the store.
enum KeyText {
    /// More bytes than the longest encoding needs, including surrounding whitespace.
    static let maximumCount = 128

    /// Decodes 32 raw bytes, or base64 or hexadecimal text with surrounding whitespace.
    static func key(_ bytes: [UInt8]) -> KeyMaterial? {
        if bytes.count == KeyMaterial.count { return KeyMaterial(bytes) }
        guard bytes.count <= maximumCount, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return key(text: text)
    }

    /// Decodes base64 or hexadecimal text.
    static func key(text: String) -> KeyMaterial? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        var bytes = hexadecimal(text) ?? Base64URL.decode(text).map(Array.init) ?? []
        defer { bytes.wipe() }
        return KeyMaterial(bytes)
    }

    /// 64 hexadecimal digits. The base64 form of 32 bytes has 43 or 44 characters, so the two cannot be confused.
    private static func hexadecimal(_ text: String) -> [UInt8]? {
        Hexadecimal.bytes(text).flatMap { $0.count == KeyMaterial.count ? $0 : nil }
    }
}

extension [UInt8] {
    /// Overwrites a secret that was needed briefly. Copies made elsewhere remain.
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
