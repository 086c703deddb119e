// Licensed under the MIT License. See LICENSE.

/// The type of a value on the bus (D-Bus specification, "Type system").
package indirect enum DBusType: Sendable, Hashable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature, descriptor, variant
    case array(DBusType)
    case structure([DBusType])
    /// An array of dictionary entries. The key is never a container.
    case dictionary(key: DBusType, value: DBusType)

    /// The alignment of a value of this type in a message, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .descriptor, .string, .objectPath, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// The types that are not containers. Values of these types may be dictionary keys.
    static let basic: [DBusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
        .descriptor,
    ]

    /// The type's code in a signature.
    package var code: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .variant: "v"
        case .array(let element): "a" + element.code
        case .structure(let members): "(" + members.map(\.code).joined() + ")"
        case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
        }
    }
}
