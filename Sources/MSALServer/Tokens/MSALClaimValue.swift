// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The value of a claim, as JSON (RFC 8259).
public enum MSALClaimValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number that does not fit ``integer(_:)``.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([MSALClaimValue])
    /// An object.
    case object([String: MSALClaimValue])

    /// The string, if the value is one.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The strings of an array, such as `roles`. A single string counts as an array of one, and elements of other types
    /// are omitted.
    public var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.compactMap(\.string)
        case .null, .bool, .integer, .number, .object: []
        }
    }

    package init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(MSALClaimValue.init))
            case .object(let members): .object(members.mapValues(MSALClaimValue.init))
            }
    }
}
