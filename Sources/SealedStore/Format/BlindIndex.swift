// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// Turns texts into 16 bytes for lookups. Without the key nobody can read or guess the text from them
/// (docs/reference/Store.md#blind-index).
///
/// In a store without encryption the bytes are a plain hash: an index and no protection, since the payload beside it
/// can be read anyway.
enum BlindIndex: Sendable {
    case keyed(KeyMaterial)
    case unkeyed

    /// The index of one text.
    func callAsFunction(_ text: String) -> Data { prepared(text) }

    /// The index ready for many texts. The prepared state holds the key in memory that is not locked. So it must be
    /// released soon.
    var prepared: Prepared {
        switch self {
        case .keyed(let key): Prepared(code: HMAC<SHA256>(key: key.symmetric))
        case .unkeyed: Prepared(code: nil)
        }
    }

    /// See ``BlindIndex/prepared``.
    struct Prepared {
        /// The code before the text, which half of the work goes into; `nil` for a plain hash.
        fileprivate let code: HMAC<SHA256>?

        /// The index of a text: HMAC-SHA256 cut to 16 bytes.
        func callAsFunction(_ text: String) -> Data {
            // No array: the runtime would look for its conformance, which takes longer than the index.
            let message = Data(utf8: text)
            guard var code else { return Self.cut(SHA256.hash(data: message)) }
            code.update(data: message)
            return Self.cut(code.finalize())
        }

        private static func cut(_ code: some ContiguousBytes) -> Data {
            code.withUnsafeBytes { Data(buffer: $0.assumingMemoryBound(to: UInt8.self)) }.prefix(16)
        }
    }

    /// The text for several parts; the separator is a control character, which no part contains.
    static func text(of parts: [String]) -> String { parts.joined(separator: "\u{1F}") }

    /// The index of several parts.
    func callAsFunction(_ parts: String...) -> Data { self(Self.text(of: parts)) }
}
