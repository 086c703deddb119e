// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

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
