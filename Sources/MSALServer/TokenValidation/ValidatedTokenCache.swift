// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The tokens whose signature and form were verified. What may change is checked each time: time, tenant, client, proof and
/// permission.
///
/// It has two halves in each part. When the younger is full it becomes the older, and the older is forgotten. A token that is
/// found in the older moves to the younger, so tokens in use stay.
final class ValidatedTokenCache: Sendable {
    /// A token that was verified.
    struct Entry: Sendable {
        let claims: TokenClaims
        let key: VerificationKey
    }

    private struct Generation {
        var entries: [TokenDigest: Entry] = [:]
        var bytes = 0
        // Entries share their equal claims and keys, so each of these is kept once.
        private var claims: Set<CommonClaims> = []
        private var keys: Set<VerificationKey> = []

        /// The number of bytes by which the half would grow.
        func growth(by entry: Entry) -> Int {
            entry.claims.size + (claims.contains(entry.claims.common) ? 0 : entry.claims.common.size)
        }

        mutating func keep(_ entry: Entry, as digest: TokenDigest) {
            let growth = growth(by: entry)
            let common = claims.insert(entry.claims.common).memberAfterInsert
            let kept = Entry(
                claims: TokenClaims(common: common, times: entry.claims.times, object: entry.claims.object),
                key: keys.insert(entry.key).memberAfterInsert
            )
            if entries.updateValue(kept, forKey: digest) == nil { bytes += growth }
        }
    }

    private struct Part {
        var young = Generation()
        var old = Generation()
    }

    /// An array cannot hold a lock itself.
    private final class LockedPart: Sendable {
        let mutex = Mutex(Part())
    }

    /// The size of all entries together, in bytes. The size of one entry is an estimate.
    private static let maximumBytes = 16 << 20
    private static let parts = 16

    private let parts: [LockedPart]
    private let entriesOfHalf: Int
    private let bytesOfHalf = ValidatedTokenCache.maximumBytes / ValidatedTokenCache.parts / 2

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
        let growth = part.young.growth(by: entry)
        guard growth <= bytesOfHalf else { return }
        if part.young.entries.count >= entriesOfHalf || part.young.bytes + growth > bytesOfHalf {
            part.old = part.young
            part.young = Generation()
        }
        part.young.keep(entry, as: digest)
    }
}

/// A key that verified tokens, and the settings that chose it. Another key with the same id has another number.
final class VerificationKey: Sendable, Hashable {
    let rules: APIRules
    private let keys: IssuerKeys
    private let id: String
    private let number: UInt64

    init(rules: APIRules, keys: IssuerKeys, id: String, number: UInt64) {
        self.rules = rules
        self.keys = keys
        self.id = id
        self.number = number
    }

    /// Whether the issuer's key still counts, and with it the signatures that it made.
    var isCurrent: Bool { keys.isCurrent(id, number: number) }

    static func == (left: VerificationKey, right: VerificationKey) -> Bool {
        left.number == right.number && left.keys === right.keys && left.rules === right.rules
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension TokenClaims {
    /// About how many bytes the memory needs for a token beside what it shares with others: the object, its hash, and its
    /// place in a dictionary that is partly empty.
    fileprivate var size: Int { if case .text(let id) = object { 192 + id.utf8.count } else { 192 } }
}
