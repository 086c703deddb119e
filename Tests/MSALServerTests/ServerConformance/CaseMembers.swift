// Licensed under the MIT License. See LICENSE.

import MSALBase
import Synchronization
import Testing

/// The members of an object of a case. It records which of them a test reads, so that a member that no test reads is
/// not considered tested.
final class CaseMembers: Sendable {
    private struct State {
        var read: Set<String> = []
        var inner: [String: [CaseMembers]] = [:]
    }

    private let members: [String: JSONValue]
    private let state = Mutex(State())

    /// Members that are comments.
    private static let remarks: Set = ["title", "note"]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// A member, without marking it as read.
    func peek(_ name: String) -> JSONValue? { members[name] }

    /// A member as is, or `nil` if it is absent.
    func raw(_ name: String) -> JSONValue? {
        state.withLock { _ = $0.read.insert(name) }
        return members[name]
    }

    /// A member, or `nil` if it is absent or null.
    subscript(name: String) -> JSONValue? { raw(name).flatMap { $0 == .null ? nil : $0 } }

    /// The texts of an array.
    func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }

    /// The texts of an object, by name.
    func named(_ name: String) -> [String: String] { self[name]?.object?.compactMapValues(\.string) ?? [:] }

    /// The objects of an array, whose members are recorded as well.
    func objects(_ name: String) -> [CaseMembers] {
        let values = raw(name)?.array ?? []
        return state.withLock { state in
            if let known = state.inner[name] { return known }
            let inner = values.compactMap { $0.object.map(CaseMembers.init) }
            state.inner[name] = inner
            return inner
        }
    }

    /// An object whose members are recorded as well.
    func object(_ name: String) -> CaseMembers? {
        guard let object = raw(name)?.object else { return nil }
        return state.withLock { state in
            if let known = state.inner[name]?.first { return known }
            let inner = CaseMembers(object)
            state.inner[name] = [inner]
            return inner
        }
    }

    /// Marks members that do not affect the result and only complete the case.
    func passOver(_ names: String...) { state.withLock { $0.read.formUnion(names) } }

    /// The paths of the members that were not read.
    var unread: [String] {
        let state = state.withLock { $0 }
        let inner = state.inner.flatMap { name, objects in objects.flatMap { $0.unread.map { "\(name).\($0)" } } }
        return (Set(members.keys).subtracting(state.read).subtracting(Self.remarks) + inner).sorted()
    }
}
