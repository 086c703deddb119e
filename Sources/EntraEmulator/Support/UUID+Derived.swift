// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

extension UUID {
    /// An id that is always the same for the same words, for an entry that was written without one.
    static func derived(from words: String...) -> UUID {
        let digest = Array(SHA256.hash(data: Data(words.joined(separator: "\n").lowercased().utf8)))
        // RFC 9562 §5.8: version 8 leaves all but version and variant to the implementation.
        return UUID(
            uuid: (
                digest[0], digest[1], digest[2], digest[3], digest[4], digest[5], digest[6] & 0x0F | 0x80, digest[7],
                digest[8] & 0x3F | 0x80, digest[9], digest[10], digest[11], digest[12], digest[13], digest[14],
                digest[15]
            )
        )
    }

    /// The id as the service writes it.
    var text: String { uuidString.lowercased() }
}
