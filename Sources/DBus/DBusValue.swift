// Licensed under the MIT License. See LICENSE.

/// A value on the bus.
package indirect enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature([DBusType])
    /// The index of a file descriptor attached to the message. This client sends descriptors but does not accept any.
    case descriptor(UInt32)
    /// An array of bytes. It is kept as bytes because separate values would take forty times the memory.
    case bytes([UInt8])
    /// An array of anything except bytes and dictionary entries.
    case array(of: DBusType, [DBusValue])
    case structure([DBusValue])
    case dictionary(key: DBusType, value: DBusType, [DBusEntry])
    case variant(DBusValue)

    package var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .bytes: .array(.byte)
        case .array(let element, _): .array(element)
        case .structure(let members): .structure(members.map(\.type))
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .variant: .variant
        }
    }
}

/// An entry of a dictionary. The order of entries and repeated keys are preserved.
package struct DBusEntry: Sendable, Hashable {
    package let key: DBusValue
    package let value: DBusValue
}

extension DBusValue {
    /// A dictionary of strings, `a{ss}`.
    package static func strings(_ pairs: [(String, String)]) -> DBusValue {
        .dictionary(key: .string, value: .string, pairs.map { DBusEntry(key: .string($0.0), value: .string($0.1)) })
    }

    /// A dictionary of variants by name, `a{sv}`.
    package static func variants(_ pairs: [(String, DBusValue)]) -> DBusValue {
        .dictionary(key: .string, value: .variant, pairs.map { DBusEntry(key: .string($0.0), value: .variant($0.1)) })
    }

    /// An array of object paths, `ao`.
    package static func objectPaths(_ paths: [String]) -> DBusValue {
        .array(of: .objectPath, paths.map(DBusValue.objectPath))
    }

    /// The paths of an array of object paths; `nil` for any other value.
    package var objectPaths: [String]? {
        guard case .array(.objectPath, let elements) = self else { return nil }
        return elements.compactMap(\.objectPath)
    }

    package var objectPath: String? { if case .objectPath(let path) = self { path } else { nil } }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
}
