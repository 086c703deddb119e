// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A record in memory with the number of its last change.
struct MemoryEntry: Sendable {
    private(set) var record: CacheRecord
    /// Increases with each save.
    let number: Int64
    /// The hash of the record's identity. Comparing it first avoids computing the identities of other records.
    fileprivate let hash: Int

    init(_ record: CacheRecord, identity: RecordIdentity, number: Int64) {
        self.record = record
        self.number = number
        hash = identity.hashValue
    }

    /// The same entry. Texts that are already in `texts` are shared, to save memory.
    func sharing(_ texts: inout StringInterner) -> MemoryEntry {
        var copy = self
        copy.record = record.sharing(&texts)
        return copy
    }
}

/// The records of one account, or those without an account.
///
/// Nearly every account has a handful of records, and scanning them is faster than hashing. Larger accounts get an
/// index.
struct MemoryAccount: Sendable {
    /// The records, in no particular order.
    private(set) var entries: [MemoryEntry] = []
    /// The indexes of the entries, if there are more than ``few``; otherwise empty.
    private var places: [RecordIdentity: Int] = [:]
    /// The sum of the entries' numbers.
    private(set) var sum: Int64 = 0

    private static let few = 16

    func entry(_ identity: RecordIdentity) -> MemoryEntry? { place(of: identity).map { entries[$0] } }

    /// Inserts an entry, or replaces the one with the same identity.
    ///
    /// - Returns: The previous entry.
    mutating func put(_ entry: MemoryEntry, identity: RecordIdentity) -> MemoryEntry? {
        sum &+= entry.number
        if let place = place(of: identity) {
            let old = entries[place]
            sum &-= old.number
            entries[place] = entry
            return old
        }
        // By default, a growing array doubles its capacity.
        if entries.count < Self.few { entries.reserveCapacity(entries.count + 1) }
        entries.append(entry)
        if !places.isEmpty {
            places[identity] = entries.count - 1
        } else if entries.count > Self.few {
            places.reserveCapacity(entries.count)
            for (place, entry) in entries.enumerated() { places[entry.record.identity] = place }
        }
        return nil
    }

    /// - Returns: The removed entry.
    mutating func remove(_ identity: RecordIdentity) -> MemoryEntry? {
        guard let place = place(of: identity) else { return nil }
        let old = entries[place]
        sum &-= old.number
        // The last entry moves to the free index. All other entries keep their index.
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
        if !places.isEmpty {
            places[identity] = nil
            if place < entries.count { places[entries[place].record.identity] = place }
        }
        return old
    }

    private func place(of identity: RecordIdentity) -> Int? {
        if !places.isEmpty { return places[identity] }
        if entries.isEmpty { return nil }
        let hash = identity.hashValue
        return entries.firstIndex { $0.hash == hash && $0.record.identity == identity }
    }
}

/// A list of accounts, nearly always one, each with the number of its records that refer to it.
struct MemoryAccounts: Sendable {
    private var first: String
    private var firstCount: Int
    private var others: [String: Int] = [:]

    /// Creates an empty list.
    init() {
        first = ""
        firstCount = 0
    }

    init(_ account: String) {
        first = account
        firstCount = 1
    }

    var isEmpty: Bool { firstCount == 0 && others.isEmpty }

    mutating func add(_ account: String) {
        if account == first { firstCount += 1 } else { others[account, default: 0] += 1 }
    }

    mutating func remove(_ account: String) {
        if account == first {
            firstCount -= 1
        } else if let count = others[account] {
            others[account] = count > 1 ? count - 1 : nil
        }
    }
}

extension MemoryAccounts: Sequence {
    func makeIterator() -> AnyIterator<String> {
        var first = firstCount == 0 ? nil : first
        var others = others.keys.makeIterator()
        return AnyIterator {
            defer { first = nil }
            return first ?? others.next()
        }
    }
}
