// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// A value that must not reach a log: a password, code, token, verifier or cookie.
///
/// It prints as a placeholder, compares in constant time and is opened only by `revealed`.
struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one place that needs it.
    let revealed: String

    init(_ text: String) {
        revealed = text
    }

    var description: String { Self.placeholder }
    var debugDescription: String { Self.placeholder }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// The printed form of every secret.
    static let placeholder = "‹redacted›"

    /// Compares digests, so that the time shows neither length nor content.
    static func == (left: Secret, right: Secret) -> Bool {
        SHA256.hash(data: Data(left.revealed.utf8)) == SHA256.hash(data: Data(right.revealed.utf8))
    }

    /// The hexadecimal SHA-256 of the text; the store keeps it instead of the secret.
    var digest: String {
        let bytes = SHA256.hash(data: Data(revealed.utf8))
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 2 * SHA256.byteCount) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 2 * SHA256.byteCount
        }
    }

    /// A fresh secret of the given number of random bytes, written as base64url.
    static func random(bytes: Int = 32) -> Secret {
        Secret(Data(randomBytes(bytes)).base64URL)
    }

    /// Bytes of the system's random number generator.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        // The generator asks the system each time, so it is asked for eight bytes.
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}
