// Licensed under the MIT License. See LICENSE.

import Foundation

/// A choice out of JSON: the part of JMESPath that picks values (jmespath.org, "JMESPath Specification").
///
/// It has members (`a.b`, `"@odata.count"`), elements (`[0]`, `[-1]`), all elements (`[*]`), those with a text
/// (`[?name=='x']`) and `length(…)`. After `[*]` and `[?…]` the rest applies to each element, and what is absent is left
/// out. Everything else is refused by its name.
struct GraphQuery: Equatable, Sendable {
    /// One step of a path.
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
        case all
        /// The elements at whose path this text is.
        case filter(path: [Step], text: String)
    }

    let path: [Step]
    /// Whether the result is the length of what the path chooses.
    let isLength: Bool

    /// Whether each element of an array gives its part of the result by itself, so that an array can come in parts.
    var isByElement: Bool {
        switch path.first {
        case .all, .filter: true
        case .member, .element: false
        // The whole array, whose length is the sum of the lengths of its parts.
        case nil: true
        }
    }

    /// What the query chooses. Absent values are `NSNull`, as `null` is.
    ///
    /// - Parameter value: A tree of Foundation objects, as `JSONSerialization` reads it.
    /// - Returns: A tree of the same kind.
    /// - Throws: `Failure` with the status `failed`, if a length is asked of something that has none.
    func choice(from value: Any) throws(Failure) -> Any {
        let chosen = Self.follow(path[...], from: value)
        guard isLength else { return chosen }
        switch chosen {
        case let list as [Any]: return list.count
        case let members as [String: Any]: return members.count
        case let text as String: return text.unicodeScalars.count
        default:
            throw .file(
                "--query asks for the length of something that has none.",
                remedy: "An array, an object and a text have one."
            )
        }
    }

    private static func follow(_ path: ArraySlice<Step>, from value: Any) -> Any {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch step {
        case .member(let name):
            guard let member = (value as? [String: Any])?[name] else { return NSNull() }
            return follow(rest, from: member)
        case .element(let position):
            guard let list = value as? [Any] else { return NSNull() }
            let index = position < 0 ? list.count + position : position
            return list.indices.contains(index) ? follow(rest, from: list[index]) : NSNull()
        case .all:
            guard let list = value as? [Any] else { return NSNull() }
            return parts(of: list, at: rest)
        case .filter(let condition, let text):
            guard let list = value as? [Any] else { return NSNull() }
            return parts(of: list.filter { follow(condition[...], from: $0) as? String == text }, at: rest)
        }
    }

    private static func parts(of list: [Any], at path: ArraySlice<Step>) -> [Any] {
        list.map { follow(path, from: $0) }.filter { !($0 is NSNull) }
    }
}
