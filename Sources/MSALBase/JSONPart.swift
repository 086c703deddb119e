// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A value in a JSON text that was validated completely. The value is created on access.
///
/// Reading a long text through its parts avoids having all its values in memory at once.
package struct JSONPart: Sendable {
    private let text: Data
    /// The number of bytes before the value.
    private let start: Int

    /// Validates `text`, which must consist of one value.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    /// - Throws: The first fault in the whole text.
    package init(checking text: Data, maximumDepth: Int = JSONReader.maximumDepth) throws(JSONReader.Fault) {
        let outcome = text.withUnsafeBytes { bytes in
            Result { () throws(JSONReader.Fault) -> Int in
                try JSONReader.whole(bytes.bindMemory(to: UInt8.self), maximumDepth: maximumDepth) {
                    (reader) throws(JSONReader.Fault) in
                    let start = reader.position
                    try reader.skip(depth: 0)
                    return start
                }
            }
        }
        self.text = text
        start = try outcome.get()
    }

    private init(_ text: Data, start: Int) {
        self.text = text
        self.start = start
    }

    /// The value with all its members or elements.
    package var value: JSONValue {
        var texts: StringInterner?
        return value(sharing: &texts)
    }

    /// The value. Reuses strings that are already in `texts`.
    package func value(sharing texts: inout StringInterner?) -> JSONValue {
        // The text was validated before, so reading finds no fault.
        reading { (reader) throws(JSONReader.Fault) in
            swap(&reader.known, &texts)
            defer { swap(&reader.known, &texts) }
            return try reader.value(depth: 0)
        } ?? .null
    }

    /// Whether the value is null.
    package var isNull: Bool { reading { (reader) in reader.peek == UInt8(ascii: "n") } ?? false }

    /// The members, sorted by name, with only the last one of each name; `nil` if this is not an object.
    package var members: [(name: String, part: JSONPart)]? {
        reading { (reader) throws(JSONReader.Fault) in
            guard reader.peek == UInt8(ascii: "{") else { return nil }
            var members: [(name: String, part: JSONPart)] = []
            try reader.members(depth: 0) { (reader, name) throws(JSONReader.Fault) in
                members.append((name, JSONPart(text, start: reader.position)))
                try reader.skip(depth: 0)
            }
            members.sort { ($0.name, $0.part.start) < ($1.name, $1.part.start) }
            return members.indices.filter { index in
                index + 1 == members.count || members[index].name != members[index + 1].name
            }.map { members[$0] }
        } ?? nil
    }

    /// The elements, in order; `nil` if this is not an array.
    package var elements: [JSONPart]? {
        reading { (reader) throws(JSONReader.Fault) in
            guard reader.peek == UInt8(ascii: "[") else { return nil }
            var elements: [JSONPart] = []
            try reader.elements(depth: 0) { (reader) throws(JSONReader.Fault) in
                elements.append(JSONPart(text, start: reader.position))
                try reader.skip(depth: 0)
            }
            return elements
        } ?? nil
    }

    private func reading<Value>(_ body: (inout JSONReader) throws(JSONReader.Fault) -> Value) -> Value? {
        text.withUnsafeBytes { bytes in
            // The depth of the whole text was checked. A part cannot exceed it.
            var reader = JSONReader(bytes.bindMemory(to: UInt8.self), from: start, maximumDepth: .max)
            return try? body(&reader)
        }
    }
}

extension JSONReader {
    /// Skips a value, with the same checks as ``value(depth:)``, without creating it.
    fileprivate mutating func skip(depth: Int) throws(Fault) {
        switch peek {
        case UInt8(ascii: "\""):
            try skipString()
        case UInt8(ascii: "{"):
            try members(
                depth: depth + 1,
                name: { (reader) throws(Fault) in try reader.skipString() },
                value: { (reader) throws(Fault) in try reader.skip(depth: depth + 1) }
            )
        case UInt8(ascii: "["):
            try elements(depth: depth + 1) { (reader) throws(Fault) in try reader.skip(depth: depth + 1) }
        default:
            // Only a number or a literal is left. Neither takes memory.
            _ = try value(depth: depth)
        }
    }
}
