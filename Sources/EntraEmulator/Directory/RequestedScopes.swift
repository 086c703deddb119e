// Licensed under the MIT License. See LICENSE.

/// The `scope` parameter, resolved: OpenID Connect scopes and the permissions of at most one API.
struct RequestedScopes: Sendable, Codable, Equatable {
    /// `openid`, `profile`, `email`, `offline_access` as far as requested, in that spelling.
    let openID: [String]
    /// The audience of the API; Graph when no other was named.
    let audience: String
    /// Canonical names of the API's permissions.
    private(set) var permissions: [String]
    /// The prefix before a permission's name as the app wrote it, with the slash; `nil` for a name alone.
    var writtenPrefix: String?
    /// Whether the app wrote `.default`. It stands for the permissions that the app was given before, or, if there are
    /// none, for all permissions that the app may ask for.
    private(set) var isDefault: Bool?

    /// The scopes of OpenID Connect Core §5.4 and §11 that the service knows.
    static let openIDScopes: Set<String> = ["openid", "profile", "email", "offline_access"]

    /// The name of the API as the app wrote it, without the slash before a permission.
    var resourceName: String? { writtenPrefix.map { String($0.dropLast()) } }
    /// Whether a refresh token was asked for.
    var wantsRefreshToken: Bool { openID.contains("offline_access") }
    /// Whether an id token was asked for.
    var wantsIDToken: Bool { openID.contains("openid") }
    /// Everything that can be consented to.
    var all: [String] { permissions + openID }

    /// Reduces `.default` to the permissions that were given before, if there are any.
    ///
    /// Source: Microsoft identity platform, "Scopes and permissions", the `.default` scope when the user has already
    /// given consent.
    mutating func narrow(to given: Set<String>) {
        let kept = permissions.filter(given.contains)
        if isDefault == true, !kept.isEmpty { permissions = kept }
    }

    /// Resolves the parameter.
    ///
    /// `passingOverUnknown`: Whether scopes that do not exist are left out, as at the endpoints of version 1.0.
    /// - Throws: The error to report for a parameter that names no scopes, or wrong ones.
    static func parse(
        _ text: String?,
        in directory: ServedDirectory,
        passingOverUnknown: Bool = false
    ) throws(EntraError) -> RequestedScopes {
        guard let text, let graph = directory.graph else {
            throw .missingParameter("scope")
        }
        var openID: [String] = []
        var named: [(api: API, name: String)] = []
        var writtenPrefix: String?
        for token in text.split(separator: " ") {
            guard isScopeToken(token) else { throw .invalidScope(String(token)) }
            let lower = token.lowercased()
            if openIDScopes.contains(lower) {
                if !openID.contains(lower) { openID.append(lower) }
            } else if let slash = token.lastIndex(of: "/") {
                // Graph's own host may carry the name after one or two slashes.
                let prefix = token[..<slash].hasSuffix("/") ? token[..<slash].dropLast() : token[..<slash]
                guard let api = directory.api(identifier: String(prefix)) else {
                    if passingOverUnknown { continue }
                    throw .unknownResource(String(prefix))
                }
                named.append((api, String(token[token.index(after: slash)...])))
                writtenPrefix = String(token[...slash])
            } else {
                named.append((graph, String(token)))
            }
        }
        if passingOverUnknown {
            named.removeAll { $0.name.lowercased() != ".default" && $0.api.scope(named: $0.name) == nil }
            if openID.isEmpty, named.isEmpty { openID = ["openid"] }
        }
        guard !openID.isEmpty || !named.isEmpty else { throw .missingParameter("scope") }
        let api = named.first?.api ?? graph
        guard named.allSatisfy({ $0.api == api }) else { throw .severalResources(text) }
        let defaults = named.count { $0.name.lowercased() == ".default" }
        guard defaults == 0 || defaults == named.count else { throw .mixedDefaultScope }
        return RequestedScopes(
            openID: openID,
            audience: api.audience,
            permissions: try permissions(named.map(\.name), of: api),
            writtenPrefix: writtenPrefix,
            isDefault: defaults > 0
        )
    }

    private static func permissions(_ names: [String], of api: API) throws(EntraError) -> [String] {
        var result: [String] = []
        for name in names {
            if name.lowercased() == ".default" {
                result += api.scopes.filter { !$0.isAdministratorOnly }.map(\.name)
            } else if let scope = api.scope(named: name) {
                result.append(scope.name)
            } else {
                throw .invalidScope(name)
            }
        }
        return result.uniqued
    }

    // RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
    static func isScopeToken(_ token: some StringProtocol) -> Bool {
        token.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }
}
