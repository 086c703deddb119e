// Licensed under the MIT License. See LICENSE.

/// The derived types of agents in Microsoft Graph.
enum GraphAgentType: String, Sendable {
    case blueprint = "agentidentityblueprint"
    case principal = "agentidentityblueprintprincipal"
    case identity = "agentidentity"
    /// An agent's user account, which only the beta version has.
    case user = "agentuser"

    /// `microsoft.graph.` and the name of a type, in any case.
    init?(named name: String) {
        let prefix = "microsoft.graph."
        let name = name.lowercased().drop { $0 == "#" }
        guard name.hasPrefix(prefix) else { return nil }
        self.init(rawValue: String(name.dropFirst(prefix.count)))
    }
}

/// The parsed path of a request after the version.
struct GraphResourcePath: Sendable {
    /// The collections, by their first segments in lower case.
    enum Collection: String, Sendable, CaseIterable {
        case users
        case groups
        case applications
        case servicePrincipals = "serviceprincipals"
        case organization
        case directoryObjects = "directoryobjects"
        case permissionGrants = "oauth2permissiongrants"
        case signIns = "signins"
    }

    /// The end of the path, after the collection or the object.
    enum Tail: Sendable, Equatable {
        case none
        /// `$count`.
        case count
        /// `$ref`.
        case reference
        /// `$value`.
        case value
        /// `microsoft.graph.` and the name of a type, and whether `$count` follows.
        case cast(String, counts: Bool)
        /// The ID of an element, and whether `$ref` follows.
        case element(String, isReference: Bool)
    }

    let collection: Collection
    /// The type of agent that the path names after the collection; `nil` for none.
    private(set) var agentType: GraphAgentType?
    /// The ID or another key of the object; `nil` for the collection itself.
    let id: String?
    /// Whether the object was requested as `/me`.
    let isMe: Bool
    /// The relation, action, or function after the object, in lower case; `nil` for none.
    let part: String?
    let tail: Tail

    /// The path in the table of permissions.
    var template: String {
        let root = isMe ? "me" : collection == .signIns ? "auditlogs/signins" : collection.rawValue
        var path = "/" + root
        if id != nil, !isMe { path += "/{id}" }
        if let part { path += "/" + part }
        if case .element(_, let isReference) = tail,
            isReference || part?.hasPrefix("approle") == true
                || part == "extensionproperties"
        {
            path += "/{id}"
        }
        return path
    }

    /// The template in which the user is identified by ID, even if the path contains `/me`.
    var templateByID: String { isMe ? template.replacing("/me", with: "/users/{id}", maxReplacements: 1) : template }

    /// Parses the segments after the version.
    ///
    /// `segments`: The segments in lower case.
    ///
    /// - Throws: 400 for a segment that is unknown to Graph, 501 for a path that the emulator does not support.
    init(_ segments: [String]) throws(GraphFault) {
        var rest = Self.withoutParentheses(segments)[...]
        let first = rest.popFirst() ?? ""
        let whole = segments.joined(separator: "/")
        if first == "me" {
            (collection, id, isMe) = (.users, "me", true)
        } else if first == "auditlogs", rest.first == "signins" {
            rest.removeFirst()
            (collection, id, isMe) = (.signIns, rest.popFirst(), false)
        } else if let found = Collection(rawValue: first), found != .signIns {
            isMe = false
            collection = found
            if let type = rest.first.flatMap(GraphAgentType.init(named:)) {
                agentType = type
                rest.removeFirst()
            }
            id = rest.first.map(Self.isFunction) == false ? rest.popFirst() : nil
        } else {
            throw Self.unknown([first] + rest, whole: whole)
        }
        if let next = rest.first, next.hasPrefix("$") || next.hasPrefix("microsoft.graph.") {
            part = nil
        } else {
            part = rest.popFirst()
        }
        if let part, !Self.parts(of: collection, id: id).contains(part) { throw Self.unknown([part], whole: whole) }
        tail = try Self.tail(rest, whole: whole)
    }

    /// The segments that may follow a collection, or an object of it.
    private static func parts(of collection: Collection, id: String?) -> Set<String> {
        let membership: Set = ["getmembergroups", "getmemberobjects", "checkmembergroups", "checkmemberobjects"]
        guard id != nil else {
            switch collection {
            case .users, .groups: return ["delta"]
            case .directoryObjects: return ["getbyids"]
            case .applications, .servicePrincipals, .organization, .permissionGrants, .signIns: return []
            }
        }
        switch collection {
        case .users:
            return membership.union([
                "memberof", "transitivememberof", "manager", "directreports", "photo", "approleassignments",
                "oauth2permissiongrants", "revokesigninsessions",
            ])
        case .groups:
            return membership.union([
                "members", "transitivemembers", "memberof", "transitivememberof", "approleassignments",
            ])
        case .applications: return ["addpassword", "removepassword", "extensionproperties"]
        case .servicePrincipals: return ["approleassignments", "approleassignedto", "oauth2permissiongrants"]
        case .directoryObjects: return membership
        case .organization, .permissionGrants, .signIns: return []
        }
    }

    /// Whether a segment after a collection is not an ID.
    private static func isFunction(_ segment: String) -> Bool {
        segment.hasPrefix("$")
            || ["delta", "getbyids", "getavailableextensionproperties", "validateproperties"]
                .contains(segment)
    }

    private static func tail(_ segments: ArraySlice<String>, whole: String) throws(GraphFault) -> Tail {
        let second = segments.dropFirst().first
        guard segments.count <= 2 else { throw unknown(Array(segments), whole: whole) }
        switch (segments.first, second) {
        case (nil, _): return .none
        case ("$count", nil): return .count
        case ("$ref", nil): return .reference
        case ("$value", nil): return .value
        case (let name?, nil) where name.hasPrefix("microsoft.graph."):
            return .cast(String(name.dropFirst("microsoft.graph.".count)), counts: false)
        case (let name?, "$count") where name.hasPrefix("microsoft.graph."):
            return .cast(String(name.dropFirst("microsoft.graph.".count)), counts: true)
        case (let name?, nil) where !name.hasPrefix("$"): return .element(name, isReference: false)
        case (let name?, "$ref") where !name.hasPrefix("$"): return .element(name, isReference: true)
        default: throw unknown(Array(segments), whole: whole)
        }
    }

    /// `users('one')` is `users/one`, and `delta()` is `delta`.
    private static func withoutParentheses(_ segments: [String]) -> [String] {
        segments.flatMap { segment -> [String] in
            guard segment.hasSuffix(")"), let open = segment.firstIndex(of: "(") else { return [segment] }
            let key = segment[segment.index(after: open)...].dropLast()
                .replacing("'", with: "")
            return key.isEmpty ? [String(segment[..<open])] : [String(segment[..<open]), String(key)]
        }
    }

    /// The error for a path with unsupported segments.
    private static func unknown(_ segments: [String], whole: String) -> GraphFault {
        let known = GraphPermissions.shared.segments
        if let segment = segments.first, !known.contains(segment) {
            return .badRequest("Resource not found for the segment '\(segment.prefix(120))'.")
        }
        return .notSupported("'\(whole.prefix(240))' of Microsoft Graph")
    }
}
