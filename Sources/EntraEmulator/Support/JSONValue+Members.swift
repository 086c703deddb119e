// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// Accessors of a JSON value for claim sets and responses. The simulated broker uses them, too.
extension JSONValue {
    /// A whole number.
    package static func int(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    /// An array of strings.
    package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }

    /// The number, if this is an integer.
    package var int: Int? {
        switch self {
        case .integer(let value): Int(value)
        case .number(let value): Int(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The Boolean value, if this is one.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The member with a name, if this is an object that contains it.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The value as multi-line text.
    package var lines: String { String(decoding: JSONWriter.bytes(of: self, indentation: 2), as: UTF8.self) + "\n" }

    /// The value as UTF-8 JSON with sorted members and unescaped slashes.
    package func encoded() -> Data { Data(JSONWriter.bytes(of: self)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
