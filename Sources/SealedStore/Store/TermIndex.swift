// Licensed under the MIT License. See LICENSE.

import Foundation

/// The blind indexes of one transaction. A transaction asks for those of the same few texts again and again, and each
/// takes two hashes.
///
/// Not `Sendable`: it belongs to the thread of the transaction, and goes with it.
final class TermIndex {
    private let index: BlindIndex
    private var known: [String: Data] = [:]
    /// The texts in the order in which they came, as a ring: `next` is the oldest one when the ring is full.
    private var texts: [String] = []
    private var next = 0

    /// How many are remembered. A large import is one transaction, too.
    private static let most = 256

    init(_ index: BlindIndex) {
        self.index = index
    }

    func callAsFunction(_ text: String) -> Data {
        if let value = known[text] { return value }
        let value = index(text)
        if texts.count < Self.most {
            texts.append(text)
        } else {
            known[texts[next]] = nil
            texts[next] = text
            next = (next + 1) % Self.most
        }
        known[text] = value
        return value
    }

    /// The index of several parts. See ``BlindIndex``.
    func callAsFunction(_ parts: String...) -> Data {
        self(BlindIndex.text(of: parts))
    }
}
