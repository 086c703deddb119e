// Licensed under the MIT License. See LICENSE.

/// Parses and writes signatures, the strings that list the types of values (D-Bus specification, "Valid signatures").
package enum DBusSignature {
    /// The maximum length of a signature, in bytes.
    static let maximumLength = 255
    /// The maximum nesting depth of arrays, and that of structures.
    static let maximumNesting = 32

    /// The types in a signature.
    ///
    /// Throws `.malformed` if the specification forbids the signature: for unknown codes, empty structures, dictionary
    /// keys that are containers, more than 255 bytes, and more than 32 levels of arrays or of structures.
    package static func parse(_ text: some Sequence<UInt8>) throws(DBusError) -> [DBusType] {
        var parser = SignatureParser(rest: ArraySlice(text))
        guard parser.rest.count <= maximumLength else { throw .malformed("a signature is longer than 255 bytes") }
        var types: [DBusType] = []
        while !parser.rest.isEmpty { types.append(try parser.type(arrays: 0, structures: 0)) }
        return types
    }

    /// The signature of a sequence of types.
    package static func text(_ types: [DBusType]) -> String { types.map(\.code).joined() }
}

private struct SignatureParser {
    var rest: ArraySlice<UInt8>

    mutating func type(arrays: Int, structures: Int) throws(DBusError) -> DBusType {
        switch rest.popFirst() {
        case UInt8(ascii: "a"): return try array(arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("): return try structure(arrays: arrays, structures: structures + 1)
        case UInt8(ascii: "v"): return .variant
        case let code?:
            guard let basic = DBusType.basic.first(where: { $0.code.utf8.elementsEqual(CollectionOfOne(code)) }) else {
                throw .malformed("a signature has an unknown type code")
            }
            return basic
        case nil: throw .malformed("a signature ends within a type")
        }
    }

    private mutating func array(arrays: Int, structures: Int) throws(DBusError) -> DBusType {
        guard arrays <= DBusSignature.maximumNesting else { throw .malformed("a signature nests too many arrays") }
        guard rest.first == UInt8(ascii: "{") else { return .array(try type(arrays: arrays, structures: structures)) }
        // A dictionary entry is aligned and nested like a structure, so it counts as one.
        guard structures < DBusSignature.maximumNesting else {
            throw .malformed("a signature nests too many structures")
        }
        rest.removeFirst()
        let key = try type(arrays: arrays, structures: structures + 1)
        guard DBusType.basic.contains(key) else { throw .malformed("a dictionary's key is a container") }
        let value = try type(arrays: arrays, structures: structures + 1)
        guard rest.popFirst() == UInt8(ascii: "}") else { throw .malformed("a dictionary entry needs two types") }
        return .dictionary(key: key, value: value)
    }

    private mutating func structure(arrays: Int, structures: Int) throws(DBusError) -> DBusType {
        guard structures <= DBusSignature.maximumNesting else {
            throw .malformed("a signature nests too many structures")
        }
        var members: [DBusType] = []
        while let next = rest.first, next != UInt8(ascii: ")") {
            members.append(try type(arrays: arrays, structures: structures))
        }
        guard rest.popFirst() != nil, !members.isEmpty else { throw .malformed("a structure is empty or has no end") }
        return .structure(members)
    }
}
