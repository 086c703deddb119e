// Licensed under the MIT License. See LICENSE.

/// A table that limits the sum of the costs of its entries. To make room for a new entry it drops others, one at a
/// time: starting at a random slot, it evicts the first entry that was not used since it last examined that entry.
///
/// The slot is chosen at random. If the oldest entry were dropped first, a caller that cycles through one entry more
/// than the table can contain would never get a hit: each entry would be dropped just before its next use.
///
/// Entries are found by the hashes of their keys, and the keys live in the entries, which saves memory: the caller
/// compares the key. Of two entries whose keys have the same hash, the table keeps the later one. So it suits only
/// caches.
struct ClockTable<Entry> {
    private struct Place {
        let hash: Int
        let entry: Entry
        let cost: Int
        var wasUsed = false
    }

    private let limit: Int
    private var places: [Place?] = []
    /// The slots by the hashes of their entries' keys.
    private var numbers: [Int: Int] = [:]
    private var free: [Int] = []
    /// A pseudorandom sequence; its quality does not matter.
    private var chance: UInt64 = 0
    /// The sum of all costs; never more than the limit.
    private(set) var cost = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { numbers.count }

    /// The entry whose key has this hash. Asking for an entry marks it as used.
    subscript(hash: Int) -> Entry? {
        mutating get {
            guard let number = numbers[hash] else { return nil }
            places[number]?.wasUsed = true
            return places[number]?.entry
        }
    }

    /// Stores an entry, replacing the one with the same hash. One that costs more than the limit is not kept.
    mutating func insert(_ entry: Entry, hash: Int, cost: Int) {
        remove(hash)
        guard cost <= limit else { return }
        while self.cost + cost > limit { evictOne() }
        let place = Place(hash: hash, entry: entry, cost: cost)
        if let number = free.popLast() {
            places[number] = place
            numbers[hash] = number
        } else {
            numbers[hash] = places.count
            places.append(place)
        }
        self.cost += cost
    }

    mutating func remove(_ hash: Int) { if let number = numbers[hash] { clear(number) } }

    /// Removes the entries for which `fits` is true. It looks at each entry.
    mutating func removeAll(where fits: (Entry) -> Bool) {
        for number in places.indices { if let place = places[number], fits(place.entry) { clear(number) } }
    }

    private mutating func evictOne() {
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var number = Int((chance >> 33) % UInt64(places.count))
        // As long as there is a cost there is an entry to drop: after one round no entry is marked as used.
        while cost > 0 {
            switch places[number]?.wasUsed {
            case nil: break
            case true?: places[number]?.wasUsed = false
            case false?: return clear(number)
            }
            number = (number + 1) % places.count
        }
    }

    private mutating func clear(_ number: Int) {
        guard let place = places[number] else { return }
        places[number] = nil
        numbers[place.hash] = nil
        free.append(number)
        cost -= place.cost
    }
}
