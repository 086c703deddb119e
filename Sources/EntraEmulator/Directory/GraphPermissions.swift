// Licensed under the MIT License. See LICENSE.

/// The permissions that Microsoft Graph knows, and which of them a request needs.
struct GraphPermissions: Sendable {
    /// One permission.
    struct Permission: Sendable {
        let name: String
        let id: String
        /// Whether only an administrator can consent.
        let isAdministratorOnly: Bool
    }

    /// The permissions of which a request needs one.
    struct Need: Sendable {
        /// Those of a signed-in user's token.
        var scopes: Set<String> = []
        /// Those of an application's token.
        var roles: Set<String> = []
    }

    /// The delegated permissions by their names in lower case.
    private(set) var scopes: [String: Permission] = [:]
    /// The permissions of applications by their names in lower case.
    private(set) var roles: [String: Permission] = [:]
    /// The segments of paths that Graph knows, in lower case, built or not.
    private(set) var segments: Set<String> = []
    /// By method and path, such as `GET /users/{id}`.
    private var needs: [String: Need] = [:]

    /// All of them. They are read at the first use, so that the start does not wait for them.
    static let shared = GraphPermissions(data)

    /// Reads the lines of ``data``.
    init(_ text: String) {
        var request = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "scope" where words.count == 4 && !line.hasPrefix(" "):
                scopes[words[3].lowercased()] = Permission(words)
            case "role" where words.count == 4 && !line.hasPrefix(" "):
                roles[words[3].lowercased()] = Permission(words)
            case "segments": segments.formUnion(words.dropFirst())
            case "scopes": needs[request, default: Need()].scopes.formUnion(words.dropFirst())
            case "roles": needs[request, default: Need()].roles.formUnion(words.dropFirst())
            default: request = words.joined(separator: " ")
            }
        }
    }

    /// What a request needs; `nil` where the table does not have it.
    ///
    /// `path`: In lower case, with `{id}` in the place of ids.
    func need(_ method: String, at path: String) -> Need? { needs["\(method) \(path)"] }
}

extension GraphPermissions.Permission {
    fileprivate init(_ words: [String]) {
        self.init(name: words[3], id: words[1], isAdministratorOnly: words[2] == "admin")
    }
}

extension API {
    /// The permission of that name; letter case does not matter. Microsoft Graph has more than are listed.
    func scope(named name: String) -> Scope? {
        if let listed = scopes.first(where: { $0.name.lowercased() == name.lowercased() }) { return listed }
        guard isGraph, let known = GraphPermissions.shared.scopes[name.lowercased()] else { return nil }
        return Scope(name: known.name, summary: known.name, isAdministratorOnly: known.isAdministratorOnly)
    }

    /// The value of the app role of that name; letter case does not matter. Microsoft Graph has more than are listed.
    func roleValue(named name: String) -> String? {
        if let listed = roles.first(where: { $0.value.lowercased() == name.lowercased() }) { return listed.value }
        return isGraph ? GraphPermissions.shared.roles[name.lowercased()]?.name : nil
    }
}
