// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A type of resource: its name, its properties, and its relations. Queries, pages, expansion, delta, and counts are
/// all derived from these.
final class GraphType<Entry: Sendable>: Sendable {
    /// A property of an object.
    struct Property: Sendable {
        let name: String
        let isDefault: Bool
        let value: @Sendable (Entry, GraphDirectory) -> JSONValue

        /// A property that is returned by default.
        static func always(
            _ name: String,
            value: @escaping @Sendable (Entry, GraphDirectory) -> JSONValue
        ) -> Property {
            Property(name: name, isDefault: true, value: value)
        }

        /// A property that is returned only if `$select` names it.
        static func selected(
            _ name: String,
            value: @escaping @Sendable (Entry, GraphDirectory) -> JSONValue
        ) -> Property {
            Property(name: name, isDefault: false, value: value)
        }
    }

    /// Finds the objects of a relation.
    typealias Relation = @Sendable (Entry, GraphDirectory) async throws -> GraphRelated

    let kind: GraphKind
    let id: @Sendable (Entry, GraphDirectory) -> String
    private let properties: [String: Property]
    /// The value of a directory extension, by its name in lower case.
    private let extensionValue: (@Sendable (Entry, String) -> JSONValue?)?
    private let relations: [String: Relation]

    /// Declares a type. All types have the property `id`.
    init(
        _ name: String,
        in set: String,
        id: @escaping @Sendable (Entry, GraphDirectory) -> String,
        properties: [Property],
        relations: [String: Relation] = [:],
        extensionValue: (@Sendable (Entry, String) -> JSONValue?)? = nil
    ) {
        self.extensionValue = extensionValue
        let all = properties + [.always("id") { .string(id($0, $1)) }]
        kind = GraphKind(
            name: name,
            set: set,
            names: Dictionary(all.map { ($0.name.lowercased(), $0.name) }) { first, _ in first },
            defaults: all.filter(\.isDefault).map(\.name),
            relations: Dictionary(relations.keys.map { ($0.lowercased(), $0) }) { first, _ in first },
            hasExtensions: extensionValue != nil
        )
        self.id = id
        self.properties = Dictionary(all.map { ($0.name.lowercased(), $0) }) { first, _ in first }
        self.relations = Dictionary(relations.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// An entry of a directory as a resource.
    func object(_ entry: Entry, in directory: GraphDirectory) -> GraphObject {
        object(at: 0, of: Held(entries: [entry], directory: directory))
    }

    /// Entries of a directory as resources, in the same order.
    func objects(_ entries: [Entry], in directory: GraphDirectory) -> [GraphObject] {
        let held = Held(entries: entries, directory: directory)
        return entries.indices.map { object(at: $0, of: held) }
    }

    private func object(at index: Int, of held: Held) -> GraphObject {
        GraphObject(
            id: id(held.entries[index], held.directory),
            kind: kind,
            value: { name in
                self.properties[name]?.value(held.entries[index], held.directory)
                    ?? self.extensionValue?(held.entries[index], name)
            },
            related: { try await self.relations[$0]?(held.entries[index], held.directory) }
        )
    }

    /// The entries of objects. A search creates thousands of objects, which share this list instead of copying it.
    private final class Held: Sendable {
        let entries: [Entry]
        let directory: GraphDirectory

        init(entries: [Entry], directory: GraphDirectory) {
            self.entries = entries
            self.directory = directory
        }
    }
}

/// The names of a type.
final class GraphKind: Sendable {
    /// The name without `microsoft.graph.`.
    let name: String
    /// The entity set.
    let set: String
    /// The properties, by their names in lower case.
    let names: [String: String]
    /// The properties that are returned by default.
    let defaults: [String]
    /// The relations, by their names in lower case.
    let relations: [String: String]
    private let hasExtensions: Bool

    /// Whether the type has a property, by its name in lower case.
    func has(_ name: String) -> Bool {
        names[name] != nil || (hasExtensions && DirectoryExtension.shortName(of: name) != nil)
    }

    init(
        name: String,
        set: String,
        names: [String: String],
        defaults: [String],
        relations: [String: String],
        hasExtensions: Bool
    ) {
        self.hasExtensions = hasExtensions
        self.name = name
        self.set = set
        self.names = names
        self.defaults = defaults
        self.relations = relations
    }
}

/// The objects of a relation.
enum GraphRelated: Sendable {
    /// The relation has at most one object.
    case one(GraphObject?)
    case many([GraphObject])
}

/// A resource of Microsoft Graph: an entry of the directory, with its type.
struct GraphObject: Sendable {
    let id: String
    let kind: GraphKind
    /// The value of a property, by its name in lower case; `nil` if the type has no such property.
    let value: @Sendable (String) -> JSONValue?
    /// The objects of a relation, by its name in lower case; `nil` if the type has no such relation.
    let related: @Sendable (String) async throws -> GraphRelated?

    /// The last segment of a path that counts the elements of a list.
    static let count = "$count"

    /// The value of a property, or of a nested member after a slash.
    func value(at path: [String]) -> JSONValue {
        path.first.flatMap(value)?.value(at: path.dropFirst()) ?? .null
    }

    /// The members of a response.
    ///
    /// `names`: The selected members; `nil` for the default ones.
    func members(_ names: [String]?) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in names ?? kind.defaults {
            let lowered = name.lowercased()
            guard let canonical = kind.names[lowered] ?? (kind.has(lowered) ? name : nil) else { continue }
            members[canonical] = value(lowered)
        }
        return members
    }
}

extension JSONValue {
    /// The nested member at a path of names in lower case, or the number of elements at `$count`.
    func value(at path: ArraySlice<String>) -> JSONValue {
        path.reduce(self) { value, step in
            if step == GraphObject.count { return value.array.map { .int($0.count) } ?? .null }
            return value.object?.first { $0.key.lowercased() == step }?.value ?? .null
        }
    }
}
