// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Blind indexes that were made of late. It is part of a ``KeyRing`` and goes with it, so no index outlives its key. The
/// indexes do not tell the key, and the process has the texts anyway.
final class KnownTerms: Sendable {
    private struct State {
        var indexes: [String: Data] = [:]
        /// The texts in the order in which they came, as a ring: `next` is the oldest one when the ring is full.
        var texts: [String] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// The number of terms that are remembered. A large import asks for more terms.
    private static let most = 1024
    /// The most bytes of a text. Longer ones come from foreign caches.
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
