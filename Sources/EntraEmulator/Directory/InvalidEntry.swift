// Licensed under the MIT License. See LICENSE.

public import Foundation

extension EmulatorDirectory {
    /// An entry of a directory that the emulator cannot use.
    public struct InvalidEntry: LocalizedError, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong with an entry.
        public enum Problem: Sendable, Equatable {
            /// A required value is missing.
            case missing(String)
            /// Another entry has the same ID or name.
            case duplicate(String)
            /// No entry has this ID or name.
            case unknown(String)
            /// A value does not have the required form.
            case malformed(String)
            /// Two values of the entry, or the entry and its tenant, contradict each other.
            case contradictory(String)
        }

        /// The entry: its list, its position, and its name, such as `users[2] 'megan@contoso.example'`.
        public let entry: String
        /// What is wrong with the entry. The associated value is the ID, the name, or the value in question.
        public let problem: Problem
        /// How to fix the entry.
        public let remedy: String

        /// One sentence with the entry, the problem, and the remedy.
        public var description: String { "\(entry) \(problem.sentence); \(remedy)" }
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }
}

extension EmulatorDirectory.InvalidEntry.Problem {
    /// The problem as the predicate that follows an entry's name.
    var sentence: String {
        switch self {
        case .missing(let name): "has no \(name)"
        case .duplicate(let name): "repeats '\(name)', which another entry already uses"
        case .unknown(let name): "names '\(name)', which does not exist"
        case .malformed(let value): "has the malformed value '\(value)'"
        case .contradictory(let reason): reason
        }
    }
}

/// An entry during validation.
struct CheckedEntry {
    let name: String

    init(_ list: String, at index: Int, named name: String) {
        self.name = "\(list)[\(index)] '\(name)'"
    }

    /// An entry that exists only once.
    init(_ name: String) {
        self.name = name
    }

    func fail(
        _ problem: EmulatorDirectory.InvalidEntry.Problem,
        remedy: String
    ) -> EmulatorDirectory.InvalidEntry {
        EmulatorDirectory.InvalidEntry(entry: name, problem: problem, remedy: remedy)
    }

    /// Adds a name to the taken ones, regardless of case.
    func claim(
        _ value: String,
        in taken: inout Set<String>,
        remedy: String
    ) throws(EmulatorDirectory.InvalidEntry) {
        guard taken.insert(value.lowercased()).inserted else { throw fail(.duplicate(value), remedy: remedy) }
    }

    func require(
        _ isGood: Bool,
        orFailWith problem: @autoclosure () -> EmulatorDirectory.InvalidEntry.Problem,
        remedy: String
    ) throws(EmulatorDirectory.InvalidEntry) {
        guard isGood else { throw fail(problem(), remedy: remedy) }
    }

    func requireGUID(_ value: String) throws(EmulatorDirectory.InvalidEntry) {
        try require(UUID(uuidString: value) != nil, orFailWith: .malformed(value), remedy: "use a GUID as the ID")
    }

    func requireText(_ value: String, called name: String) throws(EmulatorDirectory.InvalidEntry) {
        try require(!value.isEmpty, orFailWith: .missing(name), remedy: "add one")
    }
}
