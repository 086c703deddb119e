// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import Synchronization

/// Turns text into 16 bytes for lookups. Without the key, the text can be neither read nor guessed from them
/// (docs/reference/Store.md#blind-index).
///
/// In a store without encryption, the bytes are a plain hash. It serves as an index and not as protection because the
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
            // Not an array: the runtime would look up its conformance, which takes longer than the index.
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

/// Recently computed blind indexes. A ``KeyRing`` owns them, so that no index outlives its key. The indexes do not
/// reveal the key, and the process has the texts anyway.
final class BlindIndexCache: Sendable {
    private struct State {
        var indexes: [String: Data] = [:]
        /// The texts in order of arrival, as a ring buffer: `next` is the oldest one when the buffer is full.
        var texts: [String] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// The maximum number of terms. A large import uses more terms than that.
    private static let most = 1024
    /// The maximum length of a text in bytes. Longer ones come from imported caches.
    private static let longest = 512

    subscript(text: String) -> Data? { state.withLock { $0.indexes[text] } }

    func remember(_ index: Data, of text: String) {
        guard text.utf8.count <= Self.longest else { return }
        state.withLock { state in
            guard state.indexes.updateValue(index, forKey: text) == nil else { return }
            if state.texts.count < Self.most { return state.texts.append(text) }
            state.indexes[state.texts[state.next]] = nil
            state.texts[state.next] = text
            state.next = (state.next + 1) % Self.most
        }
    }
}
