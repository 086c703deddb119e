// Licensed under the MIT License. See LICENSE.

import Foundation

/// A query that picks values from JSON. It is a part of JMESPath (jmespath.org, "JMESPath Specification").
///
/// It has members (`a.b`, `"@odata.count"`), elements (`[0]`, `[-1]`), all elements (`[*]`), elements with a text
/// (`[?name=='x']`) and `length(…)`. The steps after `[*]` and `[?…]` apply to each element; elements without a value
/// are left out. Every other expression of JMESPath is refused, and the error names it.
struct GraphQuery: Equatable, Sendable {
    /// One step of a path.
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
        case all
        /// The elements that have this text at the path.
        case filter(path: [Step], text: String)
    }

    let path: [Step]
    /// Whether the result is the length of what the path chooses.
    let isLength: Bool

    /// Whether the result of an array is made of the results of its elements. Then the array can be read in parts.
    var isByElement: Bool {
        switch path.first {
        case .all, .filter: true
        case .member, .element: false
        // The query is the whole array or its length. That length is the sum of the lengths of the parts.
        case nil: true
        }
    }

    /// The values that the query picks, as they were written. An absent value is null.
    ///
    /// - Throws: `Failure` with the status `failed`, if a length is asked of something that has none.
    func choice(from value: JSONSource) throws(Failure) -> JSONSource {
        let chosen = Self.follow(path[...], from: value)
        guard isLength else { return chosen }
        guard
            let length = chosen.elements?.count ?? chosen.members?.count ?? chosen.string?.unicodeScalars.count
        else {
            throw .file(
                "--query requests the length of a value that has none.",
                remedy: "Arrays, objects and strings have a length."
            )
        }
        return JSONSource(length)
    }

    private static func follow(_ path: ArraySlice<Step>, from value: JSONSource) -> JSONSource {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch step {
        case .member(let name):
            guard let member = value[name] else { return .null }
            return follow(rest, from: member)
        case .element(let position):
            guard let list = value.elements else { return .null }
            let index = position < 0 ? list.count + position : position
            return list.indices.contains(index) ? follow(rest, from: list[index]) : .null
        case .all:
            guard let list = value.elements else { return .null }
            return parts(of: list, at: rest)
        case .filter(let condition, let text):
            guard let list = value.elements else { return .null }
            return parts(of: list.filter { follow(condition[...], from: $0).string == text }, at: rest)
        }
    }

    private static func parts(of list: [JSONSource], at path: ArraySlice<Step>) -> JSONSource {
        JSONSource(list.map { follow(path, from: $0) }.filter { !$0.isNull })
    }
}
