// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSAL

@Suite struct ClockTableTests {
    private func table(_ numbers: [Int], limit: Int, cost: Int = 1) -> ClockTable<String> {
        var table = ClockTable<String>(limit: limit)
        for number in numbers { table.insert("\(number)", hash: number, cost: cost) }
        return table
    }

    @Test func `an entry replaces the one with its hash`() {
        var table = table([1, 2], limit: 4)

        table.insert("new", hash: 1, cost: 2)

        #expect(table[1] == "new")
        #expect(table.cost == 3)
        #expect(table.count == 2)
    }

    @Test func `a full table evicts entries that were not used`() {
        var table = table([0, 1, 2, 3], limit: 4)
        for hash in [0, 1, 3] { #expect(table[hash] != nil) }

        table.insert("4", hash: 4, cost: 1)

        #expect((0...4).map { table[$0] != nil } == [true, true, false, true, true])
    }

    @Test func `no more is kept than the limit allows, and a new entry evicts no more than necessary`() {
        var table = table(Array(0..<1000), limit: 100, cost: 10)
        #expect(table.cost == 100)
        #expect(table.count == 10)

        table.insert("large", hash: 2000, cost: 35)

        #expect(table[2000] == "large")
        #expect(table.cost <= 100)
        #expect(table.count == 7)
    }

    @Test func `an entry that costs more than the limit is not kept, and evicts no other`() {
        var table = table([1, 2], limit: 4)

        table.insert("too large", hash: 3, cost: 5)

        #expect(table[3] == nil)
        #expect(table.count == 2)
    }

    /// A server requests more accounts in turn than the table can keep.
    @Test func `a few entries too many do not evict all others`() {
        var table = table([], limit: 100)
        var misses = 0
        for round in 0..<20 {
            for hash in 0..<105 where table[hash] == nil {
                if round > 0 { misses += 1 }
                table.insert("\(hash)", hash: hash, cost: 1)
            }
        }
        #expect(misses < 19 * 105 / 2)
        #expect(table.count == 100)
    }

    @Test func `removed entries free space`() {
        var table = table([1, 2, 3, 4], limit: 4)

        table.removeAll { Int($0)?.isMultiple(of: 2) == true }
        table.remove(7)
        for hash in [5, 6] { table.insert("\(hash)", hash: hash, cost: 1) }

        #expect((1...6).map { table[$0] != nil } == [true, false, true, false, true, true])
    }
}
