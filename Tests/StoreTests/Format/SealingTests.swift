// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import SealedStore

/// The encryption of one value (docs/reference/Store.md#sealing).
@Suite struct SealingTests {
    private static let place = SealContext(store: "s", table: .record, row: Data([1, 2]), kind: 2002, keyID: "k")
    private let plain = Data("fake-secret".utf8)
    private let key: SealingKey

    init() throws {
        key = try Self.key(KeyMaterial(1...32), .seal)
    }

    private static func key(_ root: KeyMaterial?, _ purpose: SealingKey.Purpose) throws -> SealingKey {
        let root = try #require(root)
        return try #require(SealingKey(id: "k", root: root, purpose: purpose))
    }

    @Test func `a value opens where it was closed`() throws {
        let sealed = try key.seal(plain, for: Self.place)

        #expect(key.open(sealed, for: Self.place) == plain)
        #expect(try Self.key(KeyMaterial(1...32), .seal).open(sealed, for: Self.place) == plain)
    }

    @Test(arguments: [
        SealContext(store: "t", table: .record, row: Data([1, 2]), kind: 2002, keyID: "k"),
        SealContext(store: "s", table: .extra, row: Data([1, 2]), kind: 2002, keyID: "k"),
        SealContext(store: "s", table: .record, row: Data([1, 3]), kind: 2002, keyID: "k"),
        SealContext(store: "s", table: .record, row: Data([1, 2]), kind: 2001, keyID: "k"),
        SealContext(store: "s", table: .record, row: Data([1, 2]), kind: 2002, keyID: "l"),
    ])
    func `it opens in no other store, table, row, kind or under another key's name`(_ other: SealContext) throws {
        let sealed = try key.seal(plain, for: Self.place)

        #expect(key.open(sealed, for: other) == nil)
    }

    @Test func `parts of a place do not run into each other`() {
        let one = SealContext(store: "ab", table: .record, row: Data("c".utf8), kind: 0, keyID: "12")
        let moved = SealContext(store: "a", table: .record, row: Data("bc".utf8), kind: 0, keyID: "12")
        let number = SealContext(store: "ab", table: .record, row: Data("c".utf8), kind: 1, keyID: "2")
        let zero = SealContext(store: "ab", table: .record, row: Data("c0".utf8), kind: 0, keyID: "12")

        #expect(Set([one, moved, number, zero].map(\.authenticatedData)).count == 4)
    }

    @Test func `another key, and the same for another purpose, opens nothing`() throws {
        let sealed = try key.seal(plain, for: Self.place)

        #expect(try Self.key(KeyMaterial(2...33), .seal).open(sealed, for: Self.place) == nil)
        #expect(try Self.key(KeyMaterial(1...32), .wrap).open(sealed, for: Self.place) == nil)
        #expect(try Self.key(KeyMaterial(1...32), .index).open(sealed, for: Self.place) == nil)
    }

    @Test func `no byte can be changed, left out or added`() throws {
        let sealed = try key.seal(plain, for: Self.place)

        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, for: Self.place) == nil, "byte \(index)")
            #expect(key.open(sealed.prefix(index), for: Self.place) == nil, "\(index) bytes")
        }
        #expect(key.open(sealed + [0], for: Self.place) == nil)
    }

    @Test func `each value has a nonce of its own after the byte of the format`() throws {
        let values = try (0..<50).map { _ in try key.seal(plain, for: Self.place) }

        #expect(values.allSatisfy { $0.count == 1 + 12 + plain.count + 16 && $0.first == 1 })
        #expect(Set(values.map { $0.dropFirst().prefix(12) }).count == 50)
    }

    @Test func `an index needs the key, and keeps parts apart`() throws {
        let key = try #require(KeyMaterial(1...32))
        let other = try #require(KeyMaterial(2...33))

        #expect(BlindIndex.keyed(key)("alice") == BlindIndex.keyed(key)("alice"))
        #expect(BlindIndex.keyed(key)("alice").count == 16)
        #expect(BlindIndex.keyed(key)("alice") != BlindIndex.keyed(other)("alice"))
        #expect(BlindIndex.keyed(key)("alice") != BlindIndex.unkeyed("alice"))
        #expect(BlindIndex.keyed(key)("ab", "c") != BlindIndex.keyed(key)("a", "bc"))
    }
}
