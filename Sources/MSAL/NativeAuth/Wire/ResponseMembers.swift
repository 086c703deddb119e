// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The members of a response, read strictly: a known member of a wrong type makes all of it unreadable
/// (docs/reference/NativeAuthentication.md#reading).
///
/// `null` counts as absent.
struct ResponseMembers: Sendable {
    /// The response does not have the form of its endpoint's responses.
    struct Unreadable: Error {
        let member: String
    }

    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func text(_ name: String) throws(Unreadable) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw Unreadable(member: name) }
        return text
    }

    func number(_ name: String) throws(Unreadable) -> Int? {
        guard let value = present(name) else { return nil }
        guard let number = value.integer else { throw Unreadable(member: name) }
        return number
    }

    func flag(_ name: String) throws(Unreadable) -> Bool? {
        guard let value = present(name) else { return nil }
        guard case .bool(let flag) = value else { throw Unreadable(member: name) }
        return flag
    }

    func numbers(_ name: String) throws(Unreadable) -> [Int]? {
        try list(name)?.map { (value) throws(Unreadable) -> Int in
            guard let number = value.integer else { throw Unreadable(member: name) }
            return number
        }
    }

    func objects(_ name: String) throws(Unreadable) -> [ResponseMembers]? {
        try list(name)?.map { (value) throws(Unreadable) -> ResponseMembers in
            guard let object = value.object else { throw Unreadable(member: name) }
            return ResponseMembers(object)
        }
    }

    func object(_ name: String) throws(Unreadable) -> ResponseMembers? {
        guard let value = present(name) else { return nil }
        guard let object = value.object else { throw Unreadable(member: name) }
        return ResponseMembers(object)
    }

    func secret(_ name: String) throws(Unreadable) -> Secret? {
        try text(name).map(Secret.init)
    }

    /// The value of a member that must be there.
    func required<Value>(
        _ name: String,
        as read: (String) throws(Unreadable) -> Value?
    ) throws(Unreadable) -> Value {
        guard let value = try read(name) else { throw Unreadable(member: name) }
        return value
    }

    private func list(_ name: String) throws(Unreadable) -> [JSONValue]? {
        guard let value = present(name) else { return nil }
        guard let list = value.array else { throw Unreadable(member: name) }
        return list
    }

    private func present(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }
}

extension JSONValue {
    /// The number, if this is a whole one; not a string that spells it.
    fileprivate var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
