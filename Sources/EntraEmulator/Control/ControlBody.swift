// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The reason why the control API rejects a request: `error_description` of a 400 response.
struct ControlRefusal: Error {
    /// A message that says what is invalid and what is allowed.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The body of a request, with its members read by name. A missing or unknown member, or a value of the wrong type, is
/// a `ControlRefusal`; a `null` member counts as absent.
struct ControlBody {
    private let members: [String: JSONValue]

    /// Reads the body of an operation; `null` if there was none.
    ///
    /// - Throws: A refusal if the body is not an object, or has a member that the operation does not accept.
    init(_ value: JSONValue, of operation: ControlOperation) throws(ControlRefusal) {
        try self.init(value, named: operation.members.map(\.name))
    }

    /// Reads the query parameters of an operation, with integers and Boolean values parsed. A repeated parameter is
    /// rejected.
    init(_ query: FormValues, of operation: ControlOperation) throws(ControlRefusal) {
        var members: [String: JSONValue] = [:]
        for (name, text) in query.pairs {
            let type = operation.parameters.first { $0.name == name }?.schema["type"]
            let value: JSONValue? =
                switch type {
                case "integer": Int(text).map { .int($0) }
                case "boolean": ["true": true, "false": false][text]
                default: nil
                }
            guard members.updateValue(value ?? .string(text), forKey: name) == nil else {
                throw ControlRefusal("'\(name)' must not be repeated")
            }
        }
        try self.init(.object(members), named: operation.parameters.map(\.name))
    }

    private init(_ value: JSONValue, named names: [String]) throws(ControlRefusal) {
        switch value {
        case .null: members = [:]
        case .object(let members): self.members = members.filter { $0.value != .null }
        case .bool, .integer, .number, .string, .array: throw ControlRefusal("the body must be a JSON object")
        }
        if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
            throw ControlRefusal("'\(unknown)' is not known here; allowed: \(names.joined(separator: ", "))")
        }
    }

    func text(_ name: String) throws(ControlRefusal) -> String? {
        try value(name, expecting: "a string", read: \.string)
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlRefusal) -> Int? {
        try value(name, expecting: "a whole number from \(range.lowerBound) to \(range.upperBound)") { member in
            member.int.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number from 0 to 1.
    func fraction(_ name: String) throws(ControlRefusal) -> Double? {
        try value(name, expecting: "a number from 0 to 1") { member in
            (member.double ?? member.int.map(Double.init)).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }

    func flag(_ name: String) throws(ControlRefusal) -> Bool? {
        try value(name, expecting: "true or false", read: \.bool)
    }

    /// One of the names of a type. `otherwise` describes, in an error message, what happens without the member.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        otherwise: String? = nil
    ) throws(ControlRefusal) -> Value? {
        let hint = otherwise.map { "; without it, \($0)" } ?? ""
        return try value(name, expecting: "one of \(Value.names)\(hint)") { member in
            member.string.flatMap(Value.init(rawValue:))
        }
    }

    /// A list of strings.
    func list(_ name: String) throws(ControlRefusal) -> [String]? {
        try value(name, expecting: "a list of strings") { member in
            let texts = member.array?.compactMap(\.string)
            return texts?.count == member.array?.count ? texts : nil
        }
    }

    /// An object whose values are strings.
    func table(_ name: String) throws(ControlRefusal) -> [String: String]? {
        try value(name, expecting: "an object of strings") { member in
            guard case .object(let entries) = member else { return nil }
            let texts = entries.compactMapValues(\.string)
            return texts.count == entries.count ? texts : nil
        }
    }

    /// A member of any type.
    subscript(name: String) -> JSONValue? { members[name] }

    /// The value of a required member.
    func required<Value>(
        _ name: String,
        read: (String) throws(ControlRefusal) -> Value?
    ) throws(ControlRefusal) -> Value {
        guard let value = try read(name) else { throw ControlRefusal("'\(name)' is missing") }
        return value
    }

    private func value<Value>(
        _ name: String,
        expecting expected: String,
        read: (JSONValue) -> Value?
    ) throws(ControlRefusal) -> Value? {
        guard let member = members[name] else { return nil }
        guard let value = read(member) else { throw ControlRefusal("'\(name)' must be \(expected)") }
        return value
    }
}
