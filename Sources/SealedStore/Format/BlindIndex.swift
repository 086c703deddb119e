// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// Turns text into 16 bytes for lookups. Without the key, the text can be neither read nor guessed from them
/// (docs/reference/Store.md#blind-index).
///
/// In a store without encryption, the bytes are a plain hash. It is only an index, not a protection, because the
/// payload next to it is readable anyway.
enum BlindIndex: Sendable {
    case keyed(KeyMaterial)
    case unkeyed

    /// The index of a text.
    func callAsFunction(_ text: String) -> Data { prepared(text) }

    /// The index, prepared for many texts. The prepared state keeps the key in unlocked memory, so release it soon.
    var prepared: Prepared {
        switch self {
        case .keyed(let key): Prepared(code: HMAC<SHA256>(key: key.symmetric))
        case .unkeyed: Prepared(code: nil)
        }
    }

    /// See ``BlindIndex/prepared``.
    struct Prepared {
        /// The HMAC state before the text, which accounts for half of the work; `nil` for a plain hash.
        fileprivate let code: HMAC<SHA256>?

        /// The index of a text: HMAC-SHA256, truncated to 16 bytes.
        func callAsFunction(_ text: String) -> Data {
            // Not an array: looking up its conformance at run time takes longer than the hash.
            let message = Data(utf8: text)
            guard var code else { return Self.cut(SHA256.hash(data: message)) }
            code.update(data: message)
            return Self.cut(code.finalize())
        }

        private static func cut(_ code: some ContiguousBytes) -> Data {
            code.withUnsafeBytes { Data(buffer: $0.assumingMemoryBound(to: UInt8.self)) }.prefix(16)
        }
    }

    /// Joins several parts into one text. The separator is a control character, which no part contains.
    static func text(of parts: [String]) -> String { parts.joined(separator: "\u{1F}") }

    /// The index of several parts.
    func callAsFunction(_ parts: String...) -> Data { self(Self.text(of: parts)) }
}
