// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
package import MSALBase

/// The SHA-256 hash of a secret text, under which a memory finds what belongs to it without keeping the text.
package struct TokenDigest: Sendable, Hashable {
    // Four inline words, which a lookup compares without following a reference.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The hash of a text.
    package init(of text: Secret) {
        var plain = text.exposed
        let digest = plain.withUTF8 { SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        words = digest.withUnsafeBytes { bytes in
            func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
            return (word(0), word(8), word(16), word(24))
        }
    }

    /// The hash in base64url.
    package var text: String { withUnsafeBytes(of: words) { Base64URL.encode($0) } }

    /// The number of the part that keeps this hash, in a memory with `count` parts. No client can choose the hash of a
    /// token that another one has.
    package func place(among count: Int) -> Int { Int(truncatingIfNeeded: words.3 % UInt64(count)) }

    package static func == (left: TokenDigest, right: TokenDigest) -> Bool {
        // All words are compared: the time must not depend on the first difference.
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
