// Licensed under the MIT License. See LICENSE.

/// The permissions of Microsoft Graph, and which of them a request requires.
struct GraphPermissions: Sendable {
    /// One permission.
    struct Permission: Sendable {
        let name: String
        let id: String
        /// Whether only an administrator can consent.
        let isAdministratorOnly: Bool
    }

    /// The permissions of a request, one of which is required.
    struct Requirement: Sendable {
        /// The delegated permissions. A user token needs one of them.
        var scopes: Set<String> = []
        /// The application permissions. An app-only token needs one of them.
        var roles: Set<String> = []
    }

    /// The delegated permissions by their names in lower case.
    private(set) var scopes: [String: Permission] = [:]
    /// The application permissions by their names in lower case.
    private(set) var roles: [String: Permission] = [:]
    /// The path segments of Graph, in lower case, whether the emulator implements them or not.
    private(set) var segments: Set<String> = []
    /// The permissions that a request needs, by its method and path, such as `GET /users/{id}`.
    private var needs: [String: Requirement] = [:]

    /// All permissions. They are parsed at the first use, so that they do not delay the start.
    static let shared = GraphPermissions(data)

    /// Parses the lines of ``data``.
    init(_ text: String) {
        var requests: [String] = []
        var areComplete = false
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "permission" where words.count == 5: add(words)
            case "segments": segments.formUnion(words.dropFirst())
            case let kind? where ["scopes", "roles", "both"].contains(kind):
                areComplete = true
                for request in requests {
                    if kind != "roles" { needs[request, default: Requirement()].scopes.formUnion(words.dropFirst()) }
                    if kind != "scopes" { needs[request, default: Requirement()].roles.formUnion(words.dropFirst()) }
                }
            default:
                if areComplete { requests = [] }
                areComplete = false
                requests.append(String(line))
            }
        }
    }

    private mutating func add(_ words: [String]) {
        let key = words[4].lowercased()
        if words[1] != "-" {
            scopes[key] = Permission(name: words[4], id: words[1], isAdministratorOnly: words[3] == "admin")
        }
        if words[2] != "-" { roles[key] = Permission(name: words[4], id: words[2], isAdministratorOnly: true) }
    }

    /// The permissions of which a request needs one; `nil` if the request is not in the table.
    ///
    /// `path`: In lower case, with `{id}` instead of IDs.
    func need(_ method: String, at path: String) -> Requirement? { needs["\(method) \(path)"] }

    /// The least privileged permission, as far as the name indicates it. A permission that users may consent to comes
    /// first, then one that only reads, then the one with the shortest name.
    func smallest(of names: Set<String>) -> String? {
        func weight(_ name: String) -> (Int, Int, Int, String) {
            let known = scopes[name.lowercased()] ?? roles[name.lowercased()]
            return (known?.isAdministratorOnly == false ? 0 : 1, name.contains("Write") ? 1 : 0, name.count, name)
        }
        return names.min { weight($0) < weight($1) }
    }
}

extension API {
    /// The permission with this name, regardless of case. Microsoft Graph has more than are listed.
    func scope(named name: String) -> Scope? {
        if let listed = scopes.first(where: { $0.name.lowercased() == name.lowercased() }) { return listed }
        guard isGraph, let known = GraphPermissions.shared.scopes[name.lowercased()] else { return nil }
        return Scope(
            name: known.name,
            summary: Self.words(for: known.name),
            isAdministratorOnly: known.isAdministratorOnly
        )
    }

    /// A permission such as `Mail.ReadWrite.Shared` in plain words, for the consent page.
    private static func words(for permission: String) -> String {
        let parts = permission.split(separator: ".").map {
            String($0).replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }
        }
        guard parts.count > 1 else { return permission }
        let verbs = [
            "Read Write": "Read and change", "Read Basic": "Read the basic data of",
            "Full Control": "Have full control of",
        ]
        let whose =
            parts.dropFirst(2).contains("All") ? "all" : parts.dropFirst(2).contains("Shared") ? "shared" : "your"
        return "\(verbs[parts[1]] ?? parts[1]) \(whose) \(parts[0].lowercased())"
    }

    /// The value of the app role with this name, regardless of case. Microsoft Graph has more than are listed.
    func roleValue(named name: String) -> String? {
        if let listed = roles.first(where: { $0.value.lowercased() == name.lowercased() }) { return listed.value }
        return isGraph ? GraphPermissions.shared.roles[name.lowercased()]?.name : nil
    }
}
