// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSAL
@testable import MSALSupport

@Suite struct ObjectTableTests {
    /// All keys have the same hash.
    private struct Name: Hashable, Sendable {
        let text: String

        func hash(into hasher: inout Hasher) {}
    }

    private final class Person: KeyedObject {
        let key: Name

        init(_ name: String) { key = Name(text: name) }
    }

    @Test func anObjectWithTheSameHashIsNeverTakenForAnother() {
        var table = ObjectTable<Person>(capacity: 4)
        let (alice, bob) = (Person("alice"), Person("bob"))
        table.insert(alice)
        #expect(table[alice.key] === alice)
        #expect(table[bob.key] == nil)
        table.insert(bob)
        #expect(table[bob.key] === bob)
        #expect(table[alice.key] == nil)
    }

    private final class Number: KeyedObject {
        let key: Int

        init(_ key: Int) { self.key = key }
    }

    @Test func `a full table gives up what came first`() {
        var table = ObjectTable<Number>(capacity: 3)
        for number in [0, 1, 2, 1, 3, 4] { table.insert(Number(number)) }

        #expect((0...4).map { table[$0] != nil } == [false, false, true, true, true])
    }
}
