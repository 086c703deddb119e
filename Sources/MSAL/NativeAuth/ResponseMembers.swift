// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The members of a response, read strictly: a known member of a wrong type makes the whole response unreadable
/// (docs/reference/NativeAuthentication.md#reading).
///
/// `null` counts as absent.
struct ResponseMembers: Sendable {
    /// The response does not have the format of its endpoint.
    struct Unreadable: Error {
        let member: String
    }

    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func text(_ name: String) throws(Unreadable) -> String? { try value(name, as: \.string) }

    func number(_ name: String) throws(Unreadable) -> Int? { try value(name, as: \.integer) }

    func flag(_ name: String) throws(Unreadable) -> Bool? { try value(name, as: \.flag) }

    func numbers(_ name: String) throws(Unreadable) -> [Int]? { try elements(name, as: \.integer) }

    func objects(_ name: String) throws(Unreadable) -> [ResponseMembers]? {
        try elements(name, as: \.object)?.map(ResponseMembers.init)
    }

    func object(_ name: String) throws(Unreadable) -> ResponseMembers? {
        try value(name, as: \.object).map(ResponseMembers.init)
    }

    func secret(_ name: String) throws(Unreadable) -> Secret? { try text(name).map(Secret.init) }

    /// The value of a required member.
    func required<Value>(_ name: String, as read: (String) throws(Unreadable) -> Value?) throws(Unreadable) -> Value {
        guard let value = try read(name) else { throw Unreadable(member: name) }
        return value
    }

    private func value<Value>(_ name: String, as read: (JSONValue) -> Value?) throws(Unreadable) -> Value? {
        guard let member = members[name], member != .null else { return nil }
        guard let value = read(member) else { throw Unreadable(member: name) }
        return value
    }

    private func elements<Value>(_ name: String, as read: (JSONValue) -> Value?) throws(Unreadable) -> [Value]? {
        try value(name, as: \.array)?.map { (element) throws(Unreadable) -> Value in
            guard let value = read(element) else { throw Unreadable(member: name) }
            return value
        }
    }
}

extension JSONValue {
    /// The number if it is an integer, but not a string with one.
    fileprivate var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}
