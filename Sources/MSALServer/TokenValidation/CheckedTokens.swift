// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The tokens whose signature and form were verified. What may change is checked each time: time, tenant, client, proof and
/// permission.
///
/// It has two halves in each part. When the younger is full it becomes the older, and the older is forgotten. A token that is
/// found in the older moves to the younger, so tokens in use stay.
final class CheckedTokens: Sendable {
    /// What was found out about a token.
    struct Entry: Sendable {
        let claims: TokenClaims
        let rules: APIRules
        let keys: IssuerKeys
        let keyID: String
        let keyNumber: UInt64
    }

    private struct Half {
        var entries: [TokenDigest: Entry] = [:]
        var bytes = 0
    }

    private struct Part {
        var young = Half()
        var old = Half()
    }

    /// An array cannot hold a lock itself.
    private final class LockedPart: Sendable {
        let mutex = Mutex(Part())
    }

    /// All entries together, in bytes, as far as they can be estimated.
    private static let maximumBytes = 16 << 20
    private static let parts = 16

    private let parts: [LockedPart]
    private let entriesOfHalf: Int
    private let bytesOfHalf = CheckedTokens.maximumBytes / CheckedTokens.parts / 2

    /// `maximum`: The number of tokens. Zero remembers none.
    init(maximum: Int) {
        parts = (0..<Self.parts).map { _ in LockedPart() }
        entriesOfHalf = maximum == 0 ? 0 : max(1, maximum / Self.parts / 2)
    }

    var isOff: Bool { entriesOfHalf == 0 }

    /// The number of tokens in memory.
    var count: Int { parts.reduce(0) { $0 + $1.mutex.withLock { $0.young.entries.count + $0.old.entries.count } } }

    subscript(digest: TokenDigest) -> Entry? {
        parts[digest.place(among: parts.count)].mutex.withLock { part in
            if let entry = part.young.entries[digest] { return entry }
            guard let entry = part.old.entries.removeValue(forKey: digest) else { return nil }
            keep(entry, as: digest, in: &part)
            return entry
        }
    }

    /// Remembers a token that was verified.
    func keep(_ entry: Entry, as digest: TokenDigest) {
        guard !isOff else { return }
        parts[digest.place(among: parts.count)].mutex.withLock { keep(entry, as: digest, in: &$0) }
    }

    /// Forgets a token whose key counts no more.
    func remove(_ digest: TokenDigest) {
        parts[digest.place(among: parts.count)].mutex.withLock { part in
            part.young.entries[digest] = nil
            part.old.entries[digest] = nil
        }
    }

    private func keep(_ entry: Entry, as digest: TokenDigest, in part: inout Part) {
        let size = entry.claims.size
        if part.young.entries.count >= entriesOfHalf || part.young.bytes + size > bytesOfHalf {
            part.old = part.young
            part.young = Half()
        }
        guard size <= bytesOfHalf, part.young.entries.updateValue(entry, forKey: digest) == nil else { return }
        part.young.bytes += size
    }
}
