// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// The query options of a request (Microsoft Graph, "Use query parameters to customize responses").
struct GraphQueryOptions: Sendable {
    /// A property by which a list is sorted.
    struct Order: Sendable {
        let path: [String]
        let isDescending: Bool
    }

    /// A relation whose objects are included in each object.
    struct Expansion: Sendable {
        let relation: String
        let select: [String]?
    }

    var select: [String]?
    var filter: GraphFilter?
    var search: GraphSearch?
    var order: [Order] = []
    var pageSize = 100
    var skipToken: [JSONValue]?
    var deltaToken: String?
    var counts = false
    var expansions: [Expansion] = []
    /// `ConsistencyLevel: eventual`.
    let isEventual: Bool
    /// The options as they were sent, for the link to the next page.
    private let pairs: [(name: String, value: String)]

    /// The maximum number of objects of an expanded relation.
    private static let expansionLimit = 20

    /// - Throws: 400 if an option is invalid or unsupported.
    init(_ exchange: Exchange) throws(GraphFault) {
        isEventual = exchange.headers[.consistencyLevel]?.lowercased() == "eventual"
        pairs = exchange.query.pairs
        for (name, value) in exchange.query.pairs {
            switch name.lowercased() {
            case "$select": select = Self.names(value)
            case "$filter": filter = try GraphFilter(value)
            case "$search": search = try GraphSearch(value)
            case "$orderby": order = try Self.order(value)
            case "$top": pageSize = try Self.pageSize(value)
            case "$skiptoken": skipToken = try Self.skipToken(value)
            case "$deltatoken": deltaToken = value
            case "$count": counts = value.lowercased() == "true"
            case "$expand": expansions = try Self.expansions(value)
            case "$format" where value.lowercased().hasSuffix("json"): continue
            case let option where option.hasPrefix("$"):
                throw .unsupportedQuery(
                    "The emulator does not support the query option '\(name.prefix(40))' of Microsoft Graph."
                )
            default: continue
            }
        }
    }

    // MARK: Application

    /// A page of a list, and the link to the next one.
    ///
    /// `kinds`: The types of the objects in the list.
    /// `isDirectory`: Whether advanced options of the directory require their header.
    /// - Throws: 400 for unsuitable options.
    func page(
        of objects: [GraphObject],
        as kinds: [GraphKind],
        isDirectory: Bool,
        exchange: Exchange
    ) async throws -> [String: JSONValue] {
        let matching = try matching(objects, as: kinds, isDirectory: isDirectory)
        var sorted = matching
        let isSorted = order.isEmpty && zip(matching, matching.dropFirst()).allSatisfy { $0.id <= $1.id }
        if !isSorted { sorted = matching.map { ($0, key(of: $0)) }.sorted { isBefore($0.1, than: $1.1) }.map(\.0) }
        if let skipToken { sorted = Array(sorted.drop { !isBefore(skipToken, than: key(of: $0)) }) }
        let page = sorted.prefix(pageSize)
        var elements: [JSONValue] = []
        for object in page {
            var members = try await self.members(of: object)
            if kinds.count > 1 { members["@odata.type"] = .string("#microsoft.graph.\(object.kind.name)") }
            elements.append(.object(members))
        }
        var members: [String: JSONValue] = ["value": .array(elements)]
        if counts { members["@odata.count"] = .int(matching.count) }
        if sorted.count > page.count, let last = page.last {
            let token = JSONValue.array(key(of: last)).encoded().base64URL
            members["@odata.nextLink"] = .string(link(to: exchange, with: "$skiptoken", of: token))
        }
        return members
    }

    /// The objects that match the filter and the search.
    func matching(
        _ objects: [GraphObject],
        as kinds: [GraphKind],
        isDirectory: Bool
    ) throws(GraphFault) -> [GraphObject] {
        if isDirectory { try checkConsistency() }
        try check(kinds)
        if filter == nil, search == nil { return objects }
        return objects.filter { object in
            filter?.matches(object) ?? true && search?.matches(object) ?? true
        }
    }

    /// The selected members of an object, with its expanded relations.
    func members(of object: GraphObject) async throws -> [String: JSONValue] {
        var members = object.members(select)
        for expansion in expansions {
            let name = object.kind.relations[expansion.relation]
            guard let name, let related = try await object.related(expansion.relation) else { continue }
            func shown(_ object: GraphObject) -> JSONValue {
                var members = object.members(expansion.select)
                members["@odata.type"] = .string("#microsoft.graph.\(object.kind.name)")
                return .object(members)
            }
            switch related {
            case .one(let object): members[name] = object.map(shown) ?? .null
            case .many(let objects): members[name] = .array(objects.prefix(Self.expansionLimit).map(shown))
            }
        }
        return members
    }

    /// Rejects names that none of the types has.
    func check(_ kinds: [GraphKind]) throws(GraphFault) {
        let words = kinds.map(\.name).joined(separator: "' or 'microsoft.graph.")
        let paths = (select ?? []).map { [$0.lowercased()] } + (filter?.paths ?? []) + order.map(\.path)
        for path in paths where !kinds.contains(where: { $0.has(path[0]) }) {
            throw .badRequest(
                "Could not find a property named '\(path[0].prefix(80))' on type 'microsoft.graph.\(words)'."
            )
        }
        for name in search?.properties ?? [] where !kinds.contains(where: { $0.has(name) }) {
            throw .badRequest("Could not find a property named '\(name)' on type 'microsoft.graph.\(words)'.")
        }
        for expansion in expansions where !kinds.contains(where: { $0.relations[expansion.relation] != nil }) {
            throw .badRequest(
                "The emulator cannot expand the relation '\(expansion.relation.prefix(80))' of 'microsoft.graph.\(words)'."
            )
        }
    }

    /// Microsoft Graph, "Advanced query capabilities on Microsoft Entra ID objects".
    private func checkConsistency() throws(GraphFault) {
        if search != nil, !isEventual {
            throw .unsupportedQuery(
                "Request with $search query parameter only works through MSGraph with a special request header: "
                    + "'ConsistencyLevel: eventual'"
            )
        }
        if counts, !isEventual {
            throw .unsupportedQuery("$count requires the header 'ConsistencyLevel: eventual'.")
        }
        let isAdvanced = filter?.isAdvanced == true || (filter != nil && !order.isEmpty)
        guard !isAdvanced || (isEventual && counts) else {
            throw .unsupportedQuery(
                "ne, not, endsWith, $count in $filter, and $orderby with $filter require the header "
                    + "'ConsistencyLevel: eventual' and $count=true."
            )
        }
    }

    /// The address of this request with one parameter instead of its tokens.
    func link(to exchange: Exchange, with name: String, of value: String) -> String {
        let kept = pairs.filter { !["$skiptoken", "$deltatoken"].contains($0.name.lowercased()) }
        return "\(exchange.base)\(exchange.path)?"
            + FormValues.encode(kept.map { ($0.name, $0.value) } + [(name, value)])
    }

    // MARK: Order

    /// The sort key of an object, with the ID as the last criterion.
    private func key(of object: GraphObject) -> [JSONValue] {
        order.map { object.value(at: $0.path) } + [.string(object.id)]
    }

    private func isBefore(_ left: [JSONValue], than right: [JSONValue]) -> Bool {
        for (index, (one, other)) in zip(left, right).enumerated() {
            let isDescending = order.indices.contains(index) && order[index].isDescending
            if Self.isLess(one, than: other) { return !isDescending }
            if Self.isLess(other, than: one) { return isDescending }
        }
        return false
    }

    private static func isLess(_ left: JSONValue, than right: JSONValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.lowercased() < right.lowercased()
        case (.integer(let left), .integer(let right)): left < right
        case (.bool(let left), .bool(let right)): !left && right
        case (.null, .null): false
        case (.null, _): true
        default: false
        }
    }

    // MARK: Reading

    private static func names(_ text: String) -> [String]? {
        let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return names.isEmpty || names.contains("*") ? nil : names
    }

    private static func order(_ text: String) throws(GraphFault) -> [Order] {
        var order: [Order] = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ").map { $0.lowercased() }
            guard let name = words.first, words.count == 1 || (words.count == 2 && ["asc", "desc"].contains(words[1]))
            else { throw .badRequest("Invalid $orderby: list properties, each optionally followed by asc or desc.") }
            order.append(Order(path: name.split(separator: "/").map(String.init), isDescending: words.last == "desc"))
        }
        guard order.count <= 8, order.allSatisfy({ !$0.path.isEmpty }) else {
            throw .badRequest("Invalid $orderby: at most eight properties are allowed.")
        }
        return order
    }

    /// 100 objects by default, at most 999.
    private static func pageSize(_ text: String) throws(GraphFault) -> Int {
        guard let number = Int(text), (1...999).contains(number) else {
            throw .unsupportedQuery(
                "Invalid page size specified: '\(text.prefix(40))'. Must be between 1 and 999 inclusive."
            )
        }
        return number
    }

    private static func skipToken(_ text: String) throws(GraphFault) -> [JSONValue] {
        guard let data = Data(base64URL: text), let values = JSONValue(parsing: data)?.array, !values.isEmpty else {
            throw .badRequest("Invalid $skiptoken: use @odata.nextLink unchanged.", code: "Request_BadRequest")
        }
        return values
    }

    /// `members($select=id),manager`.
    private static func expansions(_ text: String) throws(GraphFault) -> [Expansion] {
        var expansions: [Expansion] = []
        var rest = text[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "," && $0 != "(" }
            rest = rest.dropFirst(name.count)
            var select: [String]?
            if rest.first == "(" {
                let inner = rest.dropFirst().prefix { $0 != ")" }
                guard inner.lowercased().hasPrefix("$select="), rest.dropFirst(inner.count + 1).first == ")" else {
                    throw .unsupportedQuery("The emulator only supports $select inside of $expand.")
                }
                select = names(String(inner.dropFirst("$select=".count)))
                rest = rest.dropFirst(inner.count + 2)
            }
            guard rest.isEmpty || rest.first == "," else { throw .badRequest("Invalid $expand.") }
            rest = rest.dropFirst()
            expansions.append(
                Expansion(relation: name.trimmingCharacters(in: .whitespaces).lowercased(), select: select)
            )
        }
        guard expansions.count <= 4 else { throw .unsupportedQuery("$expand supports at most four relations.") }
        return expansions
    }
}

/// `"displayName:meg" AND "mail:contoso"` of `$search`: words of a property that start with a text.
struct GraphSearch: Sendable {
    private struct Clause: Sendable {
        let property: String
        let words: [String]
    }

    /// At least one of the lists must match with all of its clauses.
    private let alternatives: [[Clause]]

    /// The properties, in lower case.
    var properties: [String] { alternatives.flatMap { $0.map(\.property) } }

    /// - Throws: 400 if the text is not a valid search.
    init(_ text: String) throws(GraphFault) {
        let wrong = GraphFault.badRequest(
            #"Invalid $search: use "property:text" in double quotes, combined with AND or OR."#
        )
        var alternatives: [[Clause]] = [[]]
        var expectsClause = true
        var rest = text[...].drop { $0 == " " }
        while let first = rest.first {
            if first == "\"" {
                let inner = rest.dropFirst().prefix { $0 != "\"" }
                let halves = inner.split(separator: ":", maxSplits: 1)
                guard expectsClause, halves.count == 2, rest.dropFirst(inner.count + 1).first == "\"" else {
                    throw wrong
                }
                alternatives[alternatives.count - 1].append(
                    Clause(property: halves[0].lowercased(), words: Self.words(String(halves[1])))
                )
                rest = rest.dropFirst(inner.count + 2)
                expectsClause = false
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\"" }
                guard !expectsClause, ["AND", "OR"].contains(word) else { throw wrong }
                if word == "OR" { alternatives.append([]) }
                rest = rest.dropFirst(word.count)
                expectsClause = true
            }
            rest = rest.drop { $0 == " " }
        }
        let clauses = alternatives.reduce(0) { $0 + $1.count }
        guard !expectsClause, clauses <= GraphFilter.mostTerms, text.utf8.count <= GraphFilter.longest else {
            throw wrong
        }
        self.alternatives = alternatives
    }

    /// Whether an object matches the search.
    func matches(_ object: GraphObject) -> Bool {
        alternatives.contains {
            $0.allSatisfy { clause in Self.matches(object.value(clause.property), wanted: clause.words) }
        }
    }

    private static func matches(_ value: JSONValue?, wanted: [String]) -> Bool {
        guard case .string(let text)? = value else { return false }
        let words = words(text)
        return wanted.allSatisfy { start in words.contains { $0.hasPrefix(start) } }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
