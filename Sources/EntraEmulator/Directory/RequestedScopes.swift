// Licensed under the MIT License. See LICENSE.

/// The parsed `scope` parameter: OpenID Connect scopes and the permissions of at most one API.
struct RequestedScopes: Sendable, Codable, Equatable {
    /// Those of `openid`, `profile`, `email`, and `offline_access` that were requested.
    let openID: [String]
    /// The audience of the API; Microsoft Graph if no other was named.
    let audience: String
    /// Canonical names of the API's permissions.
    private(set) var permissions: [String]
    /// The prefix of a permission's name as the app wrote it, including the slash; `nil` if there is none.
    var writtenPrefix: String?
    /// Whether the app wrote `.default`. It requests the permissions that were consented to before or, if there are
    /// none, all permissions that the app may request.
    private(set) var isDefault: Bool?
    /// The scopes of further APIs, which only an authorization request may name.
    private(set) var others: [RequestedScopes]?

    /// The scopes of OpenID Connect Core §5.4 and §11 that the service supports.
    static let openIDScopes: Set<String> = ["openid", "profile", "email", "offline_access"]

    /// The name of the API as the app wrote it, without the slash before a permission.
    var resourceName: String? { writtenPrefix.map { String($0.dropLast()) } }
    /// Whether a refresh token was requested.
    var wantsRefreshToken: Bool { openID.contains("offline_access") }
    /// Whether an ID token was requested.
    var wantsIDToken: Bool { openID.contains("openid") }
    /// The scopes of each API, beginning with those of the first one.
    var parts: [RequestedScopes] { [self] + (others ?? []) }
    /// Everything that can be consented to at this API.
    var all: [String] { permissions + openID }

    /// Reduces `.default` to the permissions that were consented to before, if there are any.
    ///
    /// Source: Microsoft identity platform, "Scopes and permissions", the `.default` scope when the user has already
    /// given consent.
    mutating func narrow(to given: Set<String>) {
        let kept = permissions.filter(given.contains)
        if isDefault == true, !kept.isEmpty { permissions = kept }
    }

    /// Parses the parameter.
    ///
    /// `clientID`: The application that may request a token for itself.
    /// `consenting`: The application of an authorization request, which has a separate error for an undefined permission.
    /// `passingOverUnknown`: Whether unknown scopes are ignored, as at the version 1.0 endpoints.
    /// - Throws: The error for missing or invalid scopes.
    static func parse(
        _ text: String?,
        in directory: ServedDirectory,
        for clientID: String? = nil,
        consenting client: AppRegistration? = nil,
        passingOverUnknown: Bool = false
    ) throws(EntraError) -> RequestedScopes {
        guard let text, let graph = directory.graph else {
            throw .missingParameter("scope")
        }
        var openID: [String] = []
        var named: [(api: API, name: String, prefix: String?)] = []
        for token in text.split(separator: " ") {
            guard isScopeToken(token) else { throw .invalidScope(String(token)) }
            let lower = token.lowercased()
            if openIDScopes.contains(lower) {
                if !openID.contains(lower) { openID.append(lower) }
            } else if let slash = token.lastIndex(of: "/") {
                // The host of Microsoft Graph may be followed by one or two slashes.
                let prefix = token[..<slash].hasSuffix("/") ? token[..<slash].dropLast() : token[..<slash]
                // Another application that exposes no API has no permissions for users.
                guard let api = directory.api(identifier: String(prefix)),
                    !api.isImplicit || api.audience.lowercased() == clientID?.lowercased()
                else {
                    if passingOverUnknown { continue }
                    throw .unknownResource(String(prefix))
                }
                named.append((api, String(token[token.index(after: slash)...]), String(token[...slash])))
            } else {
                named.append((graph, String(token), nil))
            }
        }
        if passingOverUnknown {
            named.removeAll { $0.name.lowercased() != ".default" && $0.api.scope(named: $0.name) == nil }
            if openID.isEmpty, named.isEmpty { openID = ["openid"] }
        }
        guard !openID.isEmpty || !named.isEmpty else { throw .missingParameter("scope") }
        let defaults = named.count { $0.name.lowercased() == ".default" }
        guard defaults == 0 || defaults == named.count else { throw .mixedDefaultScope(text) }
        let audiences = named.isEmpty ? [graph.audience] : named.map(\.api.audience).uniqued
        let parts = try audiences.enumerated().map { position, audience throws(EntraError) in
            let own = named.filter { $0.api.audience == audience }
            return RequestedScopes(
                openID: position == 0 ? openID : [],
                audience: audience,
                permissions: try permissions(own.map(\.name), of: own.first?.api ?? graph, for: client),
                writtenPrefix: own.compactMap(\.prefix).last,
                isDefault: defaults > 0
            )
        }
        return RequestedScopes(first: parts[0], others: parts.dropFirst())
    }

    /// The scopes, which must belong to a single API.
    ///
    /// - Throws: AADSTS28000.
    func ofSingleAPI(in text: String?) throws(EntraError) -> RequestedScopes {
        guard others == nil else { throw .severalResources(text ?? "") }
        return self
    }

    private static func permissions(
        _ names: [String],
        of api: API,
        for client: AppRegistration?
    ) throws(EntraError) -> [String] {
        var result: [String] = []
        for name in names {
            if name.lowercased() == ".default" {
                result += api.scopes.filter { !$0.isAdministratorOnly }.map(\.name)
            } else if let scope = api.scope(named: name) {
                result.append(scope.name)
            } else {
                throw client.map { .undefinedScope(name, of: api.audience, client: $0.displayName) }
                    ?? .invalidScope(name)
            }
        }
        return result.uniqued
    }

    // RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
    static func isScopeToken(_ token: some StringProtocol) -> Bool {
        token.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }
}

extension RequestedScopes {
    /// Combines the scopes of several APIs; the OpenID Connect scopes are those of the first part.
    init(first: RequestedScopes, others: some Collection<RequestedScopes>) {
        self = first
        self.others = others.isEmpty ? nil : Array(others)
    }

    /// The `scope` of a response. The permissions of Microsoft Graph are listed with the OpenID Connect scopes, those of
    /// other APIs without.
    func granted(in directory: ServedDirectory) -> String {
        guard let api = directory.api(audience: audience) else { return "" }
        // A token of an app for itself has no permissions.
        if api.isImplicit { return api.qualified(".default") }
        let openID = api.isGraph ? openID.filter { $0 != "offline_access" } : []
        // An app compares the granted scopes with the requested ones, so Graph's permissions are returned as the app
        // wrote them.
        let prefix = api.isGraph ? writtenPrefix : nil
        return (permissions.map { name in prefix.map { $0 + name } ?? api.qualified(name) } + openID)
            .joined(separator: " ")
    }
}
