// Licensed under the MIT License. See LICENSE.

import Foundation

/// A JSON value of a request or a response.
enum JSON: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value that a text holds; `nil` for a text that is not JSON.
    init?(parsing text: some StringProtocol) {
        self.init(parsing: Data(text.utf8))
    }

    init?(parsing data: Data) {
        // The caller refuses everything that can be wrong with the text in the same words.
        guard let value = try? JSONDecoder().decode(JSON.self, from: data) else { return nil }
        self = value
    }

    /// The value as a text. Members stand in the order of their names.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that JSON does not have cannot be encoded, and no response holds one.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, if this is one that is not empty. Brokers treat an empty text as one that was left out.
    var string: String? {
        if case .string(let value) = self, !value.isEmpty { value } else { nil }
    }

    var int: Int? {
        if case .int(let value) = self { value } else { nil }
    }

    var elements: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// The same object with further members; any other value as it is.
    func adding(_ members: [String: JSON]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, new in new })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

/// Text without padding, as JSON Web Tokens and client information have it (RFC 4648 §5).
enum Base64URL {
    static func text(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    static func data(_ text: some StringProtocol) -> Data? {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
