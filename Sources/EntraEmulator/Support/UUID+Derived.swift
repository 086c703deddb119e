// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

extension UUID {
    /// A deterministic ID derived from strings, for an entry without one.
    static func derived(from words: String...) -> UUID {
        var bytes = Array(SHA256.hash(data: Data(words.joined(separator: "\n").lowercased().utf8)))
        // RFC 9562 §5.8: version 8 leaves everything but version and variant to the implementation.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The ID as the service writes it.
    var text: String { uuidString.lowercased() }
}
