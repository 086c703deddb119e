// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A JSON value of any shape (RFC 8259): claims, unknown members of records, additional server information.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses JSON text with any top-level value; `nil` if `data` is not JSON.
    package init?(parsing data: Data) {
        guard let value = try? JSONReader.value(of: data) else { return nil }  // Foreign bytes.
        self = value
    }

    /// The JSON text of this value: members sorted by name, slashes not escaped.
    package var text: String { String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }

    /// The string, if this is a string.
    package var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The elements, if this is an array.
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The number, also of a string that contains one: services send both (`"expires_in": "3599"`).
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .string(let value): Double(value).flatMap { $0.isFinite ? $0 : nil }
        case .null, .bool, .array, .object: nil
        }
    }

    /// The Foundation object of this value, as the public API returns claims (`[String: Any]`).
    package var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let value): value.map(\.foundationObject)
        case .object(let value): value.mapValues(\.foundationObject)
        }
    }
}
