// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The members of a response of V2, read leniently: a member of a wrong type counts as missing, and so does `null`
/// (docs/reference/NativeAuthV2.md#reading).
struct FlowMembers: Sendable {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// A text that is not empty. Of several names the first one counts that has one.
    func text(_ names: String...) -> String? {
        for name in names {
            if let text = members[name]?.string, !text.isEmpty { return text }
        }
        return nil
    }

    /// A whole number that is not negative, or a text that spells one.
    func count(_ name: String) -> Int? {
        guard let number = number(name), let count = Int(exactly: number), count >= 0 else { return nil }
        return count
    }

    /// A number, or a text that spells a decimal one.
    func number(_ name: String) -> Double? {
        if let text = members[name]?.string, !text.allSatisfy({ "0123456789.".contains($0) }) { return nil }
        return members[name]?.double
    }

    func flag(_ name: String) -> Bool? {
        guard case .bool(let flag) = members[name] else { return nil }
        return flag
    }

    func object(_ name: String) -> FlowMembers? { members[name]?.object.map(FlowMembers.init) }

    /// The objects of a list; elements of another kind are passed over.
    func objects(_ name: String) -> [FlowMembers] {
        members[name]?.array?.compactMap { $0.object.map(FlowMembers.init) } ?? []
    }

    func texts(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }

    /// Whole numbers, as numbers or as texts.
    func numbers(_ name: String) -> [Int] {
        members[name]?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? []
    }
}

// MARK: - Links

extension FlowMembers {
    /// A link under `_links`: an object with `href`, or a list of them.
    enum Link: Sendable {
        case missing
        /// The link must not be followed.
        case refused
        case usable(FlowLink)

        /// The link, where a refused one counts as missing.
        var usable: FlowLink? {
            if case .usable(let link) = self { link } else { nil }
        }

        init(_ text: String?, below authority: Authority) {
            guard let text else {
                self = .missing
                return
            }
            self = FlowLink(text, below: authority).map(Link.usable) ?? .refused
        }
    }

    func link(_ relation: String, below authority: Authority) -> Link {
        Link(members["_links"]?.object?[relation].flatMap(Self.reference), below: authority)
    }

    /// A link of the entry. It has two names, and stands under `_links` or as a text beside the token.
    func entryLink(_ relations: [String], below authority: Authority) -> FlowLink? {
        for relation in relations {
            let bare = members[relation].flatMap { $0.string ?? Self.reference($0) }
            if let link = Link(bare, below: authority).usable ?? link(relation, below: authority).usable { return link }
        }
        return nil
    }

    private static func reference(_ link: JSONValue) -> String? {
        switch link {
        case .object(let members): members["href"]?.string
        case .array(let links): links.lazy.compactMap { $0.object?["href"]?.string }.first
        case .null, .bool, .integer, .number, .string: nil
        }
    }
}
