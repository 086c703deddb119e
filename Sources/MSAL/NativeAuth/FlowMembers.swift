// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The members of a V2 response, read leniently: a member of a wrong type counts as missing, as does `null`
/// (docs/reference/NativeAuthV2.md#reading).
///
/// A response has many members that a step does not use, so each value is created on access.
struct FlowMembers: Sendable {
    private let parts: [String: JSONPart]

    /// `nil` if the value is not an object.
    init?(_ part: JSONPart) {
        guard let members = part.members else { return nil }
        parts = Dictionary(uniqueKeysWithValues: members.lazy.map { ($0.name, $0.part) })
    }

    private func value(_ name: String) -> JSONValue? { parts[name]?.value }

    /// The first non-empty string among these members.
    func text(_ names: String...) -> String? {
        for name in names { if let text = value(name)?.string, !text.isEmpty { return text } }
        return nil
    }

    /// A non-negative integer, as a number or as a string.
    func count(_ name: String) -> Int? {
        guard let number = number(name), let count = Int(exactly: number), count >= 0 else { return nil }
        return count
    }

    /// A number, or a string with a decimal number.
    func number(_ name: String) -> Double? {
        let value = value(name)
        if let text = value?.string, !text.allSatisfy({ "0123456789.".contains($0) }) { return nil }
        return value?.double
    }

    func flag(_ name: String) -> Bool? {
        guard case .bool(let flag) = value(name) else { return nil }
        return flag
    }

    func object(_ name: String) -> FlowMembers? { parts[name].flatMap(FlowMembers.init) }

    /// The objects of a list; other elements are skipped.
    func objects(_ name: String) -> [FlowMembers] { parts[name]?.elements?.compactMap(FlowMembers.init) ?? [] }

    func texts(_ name: String) -> [String] { value(name)?.array?.compactMap(\.string) ?? [] }

    /// Integers, as numbers or as strings.
    func numbers(_ name: String) -> [Int] {
        value(name)?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? []
    }
}

// MARK: - Links

extension FlowMembers {
    /// A link under `_links`: an object with `href`, or a list of such objects.
    enum Link: Sendable {
        case missing
        /// The link exists but must not be followed.
        case refused
        case usable(FlowLink)

        /// The link, or `nil` if it must not be followed.
        var usable: FlowLink? { if case .usable(let link) = self { link } else { nil } }

        init(_ text: String?, below authority: Authority) {
            guard let text else {
                self = .missing
                return
            }
            self = FlowLink(text, below: authority).map(Link.usable) ?? .refused
        }
    }

    func link(_ relation: String, below authority: Authority) -> Link {
        Link(object("_links")?.reference(relation), below: authority)
    }

    /// The link of the entry request. It has two names, and is either under `_links` or a string next to the token.
    func entryLink(_ relations: [String], below authority: Authority) -> FlowLink? {
        for relation in relations {
            let bare = Link(value(relation)?.string ?? reference(relation), below: authority)
            if let link = bare.usable ?? link(relation, below: authority).usable { return link }
        }
        return nil
    }

    /// The URL of a link, or of the first link in a list that has one.
    private func reference(_ relation: String) -> String? {
        if let link = object(relation) { return link.value("href")?.string }
        return objects(relation).lazy.compactMap { $0.value("href")?.string }.first
    }
}
