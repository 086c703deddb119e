// Licensed under the MIT License. See LICENSE.

import MSALServer
import Testing

/// A value can be opened unchanged at its own location, and nowhere else.
struct SealedValueTests {
    private let plain = (0..<200).map { UInt8($0) }

    private func place(
        prefix: String = "msal:1:",
        clientID: String = "client",
        partition: String = "partition",
        name: String = "name"
    ) -> SealedValue.Place {
        SealedValue.Place(
            prefix: prefix,
            clientID: clientID,
            name: MSALStoreName(name, in: MSALStorePartition(partition))
        )
    }

    private func sealed(_ key: MSALSealingKey) throws -> SealedValue {
        try #require(SealedValue(plain, for: place(), with: key))
    }

    @Test func `a value opens at its location, with any of the given keys`() throws {
        let (key, other) = (try MSALSealingKey.example(id: 1), try MSALSealingKey.example(id: 2))

        #expect(try sealed(key).opened(for: place(), with: [other, key]) == plain)
    }

    @Test func `a value with any byte changed does not open`() throws {
        let key = try MSALSealingKey.example()
        let bytes = try sealed(key).bytes

        let opened = bytes.indices.filter { index in
            var changed = bytes
            changed[index] ^= 0x40
            return SealedValue(bytes: changed).opened(for: place(), with: [key]) != nil
        }

        #expect(bytes.count > plain.count)
        #expect(opened.isEmpty)
    }

    @Test func `a truncated or extended value does not open`() throws {
        let key = try MSALSealingKey.example()
        let bytes = try sealed(key).bytes

        let opened = bytes.indices.filter { count in
            SealedValue(bytes: Array(bytes.prefix(count))).opened(for: place(), with: [key]) != nil
        }

        #expect(opened.isEmpty)
        #expect(SealedValue(bytes: bytes + [0]).opened(for: place(), with: [key]) == nil)
    }

    @Test func `a value does not open at any other location`() throws {
        let key = try MSALSealingKey.example()
        let value = try sealed(key)

        for other in [
            place(prefix: "msal:2:"), place(clientID: "another client"), place(partition: "another user"),
            place(name: "another value"),
            // The parts are distinguished, not concatenated.
            place(partition: "partitionn", name: "ame"), place(prefix: "msal:1:c", clientID: "lient"),
        ] {
            #expect(value.opened(for: other, with: [key]) == nil)
        }
    }

    @Test func `a value does not open with another key of the same id`() throws {
        let value = try sealed(.example())

        #expect(try value.opened(for: place(), with: [.example(seed: 100)]) == nil)
    }
}
