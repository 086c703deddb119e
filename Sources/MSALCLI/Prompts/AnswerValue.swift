// Licensed under the MIT License. See LICENSE.

import Foundation

/// A value of JSON: in an answer sheet, or of an attribute of the user.
enum AnswerValue: Decodable, Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([AnswerValue])
    case object([String: AnswerValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([AnswerValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: AnswerValue].self))
        }
    }

    /// The text, if this is one.
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements, if this is a list.
    var array: [AnswerValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members, if this is an object.
    var object: [String: AnswerValue]? { if case .object(let members) = self { members } else { nil } }

    /// The value as the library takes attributes.
    var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.foundationObject)
        case .object(let members): members.mapValues(\.foundationObject)
        }
    }
}
