// Licensed under the MIT License. See LICENSE.

/// A JSON value of any shape (RFC 8259): claims, unknown members of records, additional server information.
package enum JSONValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {  // A mismatch is the question asked, not a failure.
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Parses JSON text of any top-level shape; `nil` where `data` is not JSON.
    package init?(parsing data: Data) {
        guard let value = try? JSONReader.value(of: data) else { return nil }  // Foreign bytes.
        self = value
    }

    /// The text of this value: members sorted by name, slashes as they are.
    package var text: String {
        String(decoding: JSONWriter.bytes(of: self), as: UTF8.self)
    }

    /// The text, if this is a string.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The members, if this is an object.
    package var object: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// A number, or a string that spells one: services send both (`"expires_in": "3599"`).
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .string(let value): Double(value).flatMap { $0.isFinite ? $0 : nil }
        case .null, .bool, .array, .object: nil
        }
    }

    /// The Foundation object of this value, as the public API hands out claims (`[String: Any]`).
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
