// Licensed under the MIT License. See LICENSE.

import Foundation

/// The position of a sealed value. It is authenticated with the value, so that the value does not open in another row,
/// table, store, or schema (docs/reference/Store.md#sealing).
struct SealContext: Sendable {
    /// The tables with sealed values.
    enum Table: String, Sendable {
        case record, extra, keys
    }

    /// The version of the schema that introduced the current format of sealed values. A later version that changes the
    /// format reseals all of them.
    private static let sealedSince: Int32 = 1

    /// The store's random identifier.
    let store: String
    let table: Table
    /// The row's primary key.
    let row: Data
    /// The number of the row's kind; 0 elsewhere.
    let kind: Int
    /// The key that seals the value.
    let keyID: String

    /// All members in one sequence of bytes, which the cipher authenticates.
    var authenticatedData: Data {
        // Built in one piece because this runs for each row. The cipher accepts `Data` without looking up a
        // conformance.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(framing: store.utf8)
        bytes.append(framing: table.rawValue.utf8)
        bytes.append(framing: row)
        bytes.append(framing: String(kind).utf8)
        bytes.append(framing: String(Self.sealedSince).utf8)
        bytes.append(framing: keyID.utf8)
        return bytes.withUnsafeBufferPointer { Data(buffer: $0) }
    }
}

extension [UInt8] {
    /// Each part is preceded by its length, so that two different lists never yield the same bytes.
    init(framing parts: [Data]) {
        self.init()
        for part in parts { append(framing: part) }
    }

    /// Appends a part, preceded by its length.
    fileprivate mutating func append(framing part: some Collection<UInt8>) {
        Swift.withUnsafeBytes(of: UInt32(clamping: part.count).bigEndian) { append(contentsOf: $0) }
        append(contentsOf: part)
    }
}
