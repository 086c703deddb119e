// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Issues access tokens without a sign-in, for tests.
struct TokenMint: Sendable {
    /// A token, with its remaining lifetime in seconds.
    struct Minted: Sendable {
        let text: Secret
        let lifetime: Int
    }

    let directory: ServedDirectory
    let store: EmulatorStore
    let issuer: TokenIssuer
    let clock: EmulatorClock
    let ports: BoundPorts
    let publicURL: String?
    let journal: Journal

    /// The claims that are determined by other members, and the member that determines each.
    private static let fixed = [
        "iss": "'tenant'", "aud": "'api'", "exp": "'expires'", "nbf": "'expires'", "iat": "'expires'",
        "tid": "'tenant'", "oid": "'user' or 'application'", "sub": "'user' or 'application'", "sid": "the sign-in",
        "ver": "the API's accessTokenAcceptedVersion", "cnf": "a key that signs requests",
    ]
    /// The claims that are arrays. A single string becomes an array with one element.
    private static let lists: Set<String> = ["acrs", "amr", "groups", "roles", "wids", "xms_cc"]

    /// Issues the token, and records it in the journal.
    ///
    /// - Throws: `TestToken.Refusal`.
    func token(_ request: TestToken) async throws -> Minted {
        guard let api = directory.api(identifier: request.api) else {
            throw Self.unknown(request.api, as: "api", of: directory.apis.map(\.identifierURI))
        }
        let changes = try Self.changes(request.claims, isForced: request.isForced)
        let now = clock.now
        let client = try client(of: request, at: api)
        var claims =
            if let name = request.user {
                try await claims(about: name, as: client, at: api, request: request, now: now)
            } else {
                try self.claims(of: client, at: api, request: request, now: now)
            }
        let life = request.lifetime?.wholeSeconds ?? issuer.lifetime.wholeSeconds
        let start = Int(now.timeIntervalSince1970)
        claims["exp"] = .int(start + life)
        // An expired token must also start before its end.
        if life <= 0 { (claims["iat"], claims["nbf"]) = (.int(start + life - 3_600), .int(start + life - 3_600)) }
        for (name, value) in changes { claims[name] = value == .null ? nil : value }
        request.flaw?.corrupt(&claims, at: now)
        let text = try await issuer.keys.sign(claims, flaw: request.flaw)
        journal.append(JournalEntry(minted: Self.note(of: request), at: now))
        return Minted(text: Secret(text), lifetime: life)
    }

    /// The address of the version 2.0 issuer.
    private var base: String { publicURL ?? "https://localhost:\(ports.platform ?? 443)" }

    // MARK: Claims

    private func claims(
        about name: String,
        as client: Client,
        at api: API,
        request: TestToken,
        now: Date
    ) async throws -> [String: JSONValue] {
        guard let user = try store.user(name) else {
            let some = try store.users(after: "", limit: 10).map(\.userPrincipalName)
            throw Self.unknown(name, as: "user", of: some)
        }
        let tenant = try tenant(request.tenant ?? user.homeTenantID)
        guard user.objectID(in: tenant.id) != nil else {
            throw TestToken.Refusal(
                "'\(user.userPrincipalName)' is not a user of '\(tenant.domain)'; choose another tenant"
            )
        }
        let scopes = RequestedScopes(
            openID: [],
            audience: api.audience,
            permissions: try Self.permissions(request.scopes, of: api),
            writtenPrefix: request.api + "/"
        )
        var entitlement = Entitlement(
            family: UUID().text,
            userID: user.id,
            tenantID: tenant.id,
            clientID: client.id,
            scopes: scopes,
            authenticatedAt: now
        )
        entitlement.clientAuthentication = client.authentication
        // Store a code that is never used, so that this counts as a sign-in of the user, and ends when the user's
        // sign-ins are revoked.
        try await store.save(AuthorizationCode(entitlement: entitlement, expiresAt: now), as: .random())
        let context = TokenIssuer.Context(
            entitlement: entitlement,
            user: user,
            tenant: tenant,
            base: base,
            now: now
        )
        return issuer.claims(of: context, at: api, scopes: scopes)
    }

    private func claims(
        of client: Client,
        at api: API,
        request: TestToken,
        now: Date
    ) throws -> [String: JSONValue] {
        guard request.scopes == nil else {
            throw TestToken.Refusal("'scopes' requires a 'user'; for an application, set the claim 'roles'")
        }
        let tenant = try request.tenant.map(tenant) ?? directory.tenants.first ?? tenant("")
        let principal = ApplicationPrincipal(
            clientID: client.id,
            objectID: tenant.servicePrincipalID(of: client.id),
            tenant: tenant,
            authentication: client.authentication,
            roles: client.roles
        )
        return issuer.claims(of: principal, at: api, named: request.api, base: base, now: now)
    }

    private static func note(of request: TestToken) -> JournalEntry.Minted {
        .init(
            user: request.user,
            application: request.application,
            api: request.api,
            flaw: request.flaw?.rawValue
        )
    }

    // MARK: Names

    /// The application that the token is issued to.
    private struct Client {
        let id: String
        let authentication: AuthenticationMethod
        let roles: [String]
    }

    private func client(of request: TestToken, at api: API) throws(TestToken.Refusal) -> Client {
        let all = directory.applications
        var found = all.first
        if let name = request.application {
            found = directory.application(name) ?? all.first { $0.displayName.lowercased() == name.lowercased() }
            guard found != nil else { throw Self.unknown(name, as: "application", of: all.map(\.clientID)) }
        } else if request.user == nil {
            throw .init("'user' and 'application' are missing; add at least one of them")
        }
        guard let found else { return Client(id: api.audience, authentication: .none, roles: []) }
        return Client(
            id: found.clientID,
            authentication: !found.credentials.isEmpty || request.user == nil ? .secret : .none,
            roles: found.grantedRoles[api.audience] ?? []
        )
    }

    private func tenant(_ name: String) throws(TestToken.Refusal) -> Tenant {
        guard let tenant = directory.tenant(named: name) else {
            throw Self.unknown(name, as: "tenant", of: directory.tenants.map(\.domain))
        }
        return tenant
    }

    private static func permissions(_ names: [String]?, of api: API) throws(TestToken.Refusal) -> [String] {
        guard let names else { return api.scopes.filter { !$0.isAdministratorOnly }.map(\.name) }
        return try names.map { name throws(TestToken.Refusal) in
            // The prefix of the API may precede it.
            let short = name.split(separator: "/").last.map(String.init) ?? name
            guard let scope = api.scope(named: short) else {
                throw unknown(name, as: "scopes", of: api.scopes.map(\.name))
            }
            return scope.name
        }
    }

    private static func changes(
        _ claims: [String: TestToken.Claim],
        isForced: Bool
    ) throws(TestToken.Refusal) -> [String: JSONValue] {
        var changes: [String: JSONValue] = [:]
        for (name, claim) in claims.sorted(by: { $0.key < $1.key }) {
            if !isForced, let member = fixed[name] {
                throw .init("'\(name)' cannot be set, because it is determined by \(member); add 'force' (--force)")
            }
            let value = try claim.value()
            // Lists such as `roles` are what tests set most often. Any claim may be missing from a token.
            guard isForced || lists.contains(name) || value == .null || !RestrictedClaims.contains(name) else {
                throw .init("'\(name)' cannot be set, because it is a restricted claim; add 'force' (--force)")
            }
            changes[name] = lists.contains(name) && value.string != nil ? [value] : value
        }
        return changes
    }

    private static func unknown(_ name: String, as member: String, of known: [String]) -> TestToken.Refusal {
        .init("'\(name)' in '\(member)' does not exist; choose one of \(known.joined(separator: ", "))")
    }
}
