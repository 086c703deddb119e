// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALSupport

/// Turns texts into 16 bytes for lookups. Without the key nobody can read or guess the text from them
/// (docs/reference/Store.md#blind-index).
///
/// In a store without encryption the bytes are a plain hash: an index and no protection, since the payload beside it
/// can be read anyway.
enum BlindIndex: Sendable {
    case keyed(KeyMaterial)
    case unkeyed

    /// The index of a text: HMAC-SHA256 cut to 16 bytes.
    func callAsFunction(_ text: String) -> Data {
        let message = Data(utf8: text)
        return switch self {
        case .keyed(let key): Self.cut(HMAC<SHA256>.authenticationCode(for: message, using: key.symmetric))
        case .unkeyed: Self.cut(SHA256.hash(data: message))
        }
    }

    private static func cut(_ code: some ContiguousBytes) -> Data {
        code.withUnsafeBytes { Data(buffer: $0.assumingMemoryBound(to: UInt8.self)) }.prefix(16)
    }

    /// The text for several parts; the separator is a control character, which no part contains.
    static func text(of parts: [String]) -> String { parts.joined(separator: "\u{1F}") }

    /// The index of several parts.
    func callAsFunction(_ parts: String...) -> Data { self(Self.text(of: parts)) }
}
