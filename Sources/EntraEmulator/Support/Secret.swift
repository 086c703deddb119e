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
        SHA256.hash(data: Data(revealed.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    /// A fresh secret of the given number of random bytes, written as base64url.
    static func random(bytes: Int = 32) -> Secret {
        Secret(Data(randomBytes(bytes)).base64URL)
    }

    /// Bytes of the system's random number generator.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
