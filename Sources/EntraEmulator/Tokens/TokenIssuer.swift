// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// Issues access tokens and ID tokens.
struct TokenIssuer: Sendable {
    let keys: SigningKeys
    let directory: ServedDirectory
    /// The lifetime of access and ID tokens.
    let lifetime: Duration
    /// The usual one of the service.
    static let defaultLifetime: Duration = .seconds(3599)

    /// The user of the tokens, the sign-in, and the request.
    struct Context: Sendable {
        let entitlement: Entitlement
        let user: User
        let tenant: Tenant
        /// `https://host[:port]` of the request, the prefix of the issuer.
        let base: String
        let now: Date
        /// The key that the access token is bound to; `nil` issues a bearer token.
        var confirmation: Confirmation?
        /// Whether a version 1.0 endpoint was called, which determines the version of the ID token.
        var isVersion1 = false
        /// The address that the request came from; `nil` if unknown.
        var clientAddress: String?
        /// Whether the authorization endpoint sends the tokens, in an address of limited length.
        var isInFrontChannel = false
    }

    /// Issues an access token for the API of the entitlement, with exactly these permissions.
    func accessToken(_ context: Context, for api: API, scopes: RequestedScopes) async throws -> String {
        try await keys.sign(claims(of: context, at: api, scopes: scopes))
    }

    /// The lifetime of an access token: a day at Microsoft Graph for a client that handles claims challenges, unless
    /// the configuration sets another lifetime.
    ///
    /// Source: Microsoft Entra, "Continuous access evaluation", "Token lifetime": up to 28 hours.
    func lifetime(at api: API, capabilities: [String]) -> Duration {
        let isLong =
            api.isGraph && lifetime == Self.defaultLifetime
            && capabilities.contains { $0.lowercased() == "cp1" }
        return isLong ? .seconds(86_399) : lifetime
    }

    /// The claims of a user's access token.
    func claims(of context: Context, at api: API, scopes: RequestedScopes) -> [String: JSONValue] {
        let entitlement = context.entitlement
        let openID = api.isGraph ? scopes.openID.filter { $0 != "offline_access" } : []
        var claims = common(context, recipient: api.audience)
        claims["exp"] = .int(
            Int(context.now.timeIntervalSince1970)
                + lifetime(at: api, capabilities: entitlement.capabilities).wholeSeconds
        )
        if !api.isImplicit { claims["scp"] = .string((scopes.permissions + openID).joined(separator: " ")) }
        claims["xms_ftd"] = .string(Secret.random(bytes: 32).exposed)
        claims["name"] = .string(context.user.displayName)
        addVersion(
            of: api,
            // A user token for Graph always has Graph's ID, whichever identifier the app used.
            named: api.isGraph ? nil : scopes.resourceName,
            client: entitlement.clientID,
            authentication: entitlement.clientAuthentication ?? .none,
            tenant: context.tenant,
            base: context.base,
            to: &claims
        )
        // In the service, version 2.0 tokens have no `amr`. The emulator adds it after a second factor, so that an API
        // can act on behalf of its user.
        let hasSecondFactor = entitlement.hasSecondFactor == true
        if hasSecondFactor || api.acceptedTokenVersion == 1 {
            claims["amr"] = hasSecondFactor ? ["pwd", "mfa"] : ["pwd"]
        }
        if api.acceptedTokenVersion == 1 {
            let name = context.user.principalName(in: context.tenant)
            claims["unique_name"] = .string(name)
            claims["acr"] = "1"
            claims.merge(claimsOfVersion1(context)) { own, _ in own }
        } else {
            claims["preferred_username"] = .string(context.user.userPrincipalName)
        }
        if api.isGraph || api.requests("idtyp", with: "include_user_token") { claims["idtyp"] = "user" }
        let roles = directory.roles(of: context.user, in: context.tenant, at: api)
        if !roles.isEmpty { claims["roles"] = .strings(roles) }
        let membership = directory.application(api.audience)?.membershipClaims
        claims.merge(memberships(membership, requested: api.optionalClaims, in: context)) { $0.merged(with: $1) }
        if api.isGraph { claims["wids"] = .strings(Self.directoryRoles(of: context)) }
        claims.merge(optional(api.optionalClaims, in: context)) { own, _ in own }
        if let contexts = entitlement.authenticationContexts, !contexts.isEmpty { claims["acrs"] = .strings(contexts) }
        if !entitlement.capabilities.isEmpty, api.receivesCapabilities {
            claims["xms_cc"] = .strings(entitlement.capabilities)
        }
        claims["cnf"] = context.confirmation?.claim
        claims.merge(agentClaims(of: entitlement.clientID, user: context.user)) { _, new in new }
        set(
            entitlement.claims,
            in: &claims,
            names: context.user.memberNames(in: context.tenant),
            clientID: entitlement.clientID,
            api: api
        )
        return claims
    }

    /// Sets the claims of a test.
    ///
    /// `ofSignIn`: The settings of the sign-in. Those of the directory apply in addition.
    /// `names`: The names of the user; `nil` for a token of an application.
    /// `api`: The API of an access token; `nil` for an ID token.
    func set(
        _ ofSignIn: [EmulatorDirectory.TokenClaims]?,
        in claims: inout [String: JSONValue],
        names: @autoclosure () -> [String]?,
        clientID: String,
        api: API?
    ) {
        let settings = directory.tokenClaims.filter { !$0.isOnce } + (ofSignIn ?? [])
        guard !settings.isEmpty else { return }
        let names = names()
        var set: Set<String> = []
        for setting in settings where setting.applies(to: names, clientID: clientID, api: api) {
            for (name, claim) in setting.claims {
                // The text of a claim was parsed when the setting was read.
                let value = (try? claim.value()) ?? .null
                claims[name] = value == .null ? nil : value
                set.insert(name)
            }
        }
        if !set.isEmpty { RequestNotes.note(remark: "claims set for a test: \(set.sorted().joined(separator: ", "))") }
    }

    /// Issues the ID token for the client.
    ///
    /// `code`: In the hybrid flow, the code that is sent with it, for `c_hash` (OpenID Connect Core §3.3.2.11).
    /// `accessToken`: The access token that the authorization endpoint sends with it, for `at_hash` (§3.2.2.9).
    func idToken(
        _ context: Context,
        scopes: RequestedScopes,
        code: Secret? = nil,
        accessToken: Secret? = nil
    ) async throws -> String {
        var claims = common(context, recipient: context.entitlement.clientID)
        claims["aud"] = .string(context.entitlement.clientID)
        claims["ver"] = context.isVersion1 ? "1.0" : "2.0"
        if context.isVersion1 { claims["iss"] = .string(Self.issuerOfVersion1(tenantID: context.tenant.id)) }
        claims["auth_time"] = .int(Int(context.entitlement.authenticatedAt.timeIntervalSince1970))
        claims["nonce"] = context.entitlement.nonce.map { .string($0) }
        if context.entitlement.policy != nil { claims["emails"] = .strings([context.user.userPrincipalName]) }
        // Microsoft identity platform, "ID token claims reference": in version 2.0, these require the `profile` scope;
        // version 1.0 has different claims for the user's name.
        if context.isVersion1 {
            claims["name"] = .string(context.user.displayName)
            claims["unique_name"] = .string(context.user.principalName(in: context.tenant))
            claims["amr"] = context.entitlement.hasSecondFactor == true ? ["pwd", "mfa"] : ["pwd"]
            claims.merge(claimsOfVersion1(context)) { own, _ in own }
        } else if scopes.openID.contains("profile") {
            claims["name"] = .string(context.user.displayName)
            // B2C includes the addresses instead.
            if context.entitlement.policy == nil {
                claims["preferred_username"] = .string(context.user.userPrincipalName)
            }
        } else {
            claims["oid"] = nil
        }
        let isGuest = context.tenant.id != context.user.homeTenantID
        // Microsoft identity platform, "Optional claims reference": guests have an `email` by default.
        if scopes.openID.contains("email") || isGuest {
            claims["email"] = .string(context.user.userPrincipalName)
        }
        if isGuest { claims["idp"] = .string(identityProvider(of: context.user)) }
        if let client = directory.application(context.entitlement.clientID) {
            // The same page: these require the scope `profile` in version 2.0.
            let isHidden = !context.isVersion1 && !scopes.openID.contains("profile")
            let requested = client.optionalClaims.filter { claim in
                !isHidden || !["family_name", "given_name", "upn"].contains(claim.name)
            }
            claims.merge(optional(requested, in: context)) { own, _ in own }
            // In the service, an application is also the API that it exposes.
            let roles = directory.api(identifier: client.clientID).map {
                directory.roles(of: context.user, in: context.tenant, at: $0)
            }
            if let roles, !roles.isEmpty { claims["roles"] = .strings(roles) }
            let groups = memberships(client.membershipClaims, requested: client.optionalClaims, in: context)
            claims.merge(groups) { $0.merged(with: $1) }
        }
        for (name, value) in [("c_hash", code), ("at_hash", accessToken)] {
            guard let value else { continue }
            let digest = SHA256.hash(data: Data(value.exposed.utf8))
            claims[name] = .string(Data(digest.prefix(16)).base64URL)
        }
        set(
            context.entitlement.claims,
            in: &claims,
            names: context.user.memberNames(in: context.tenant),
            clientID: context.entitlement.clientID,
            api: nil
        )
        return try await keys.sign(claims)
    }

    /// The claims that version 1.0 tokens have without a request (Microsoft identity platform, "Optional claims
    /// reference", the v2.0-specific optional claims).
    private func claimsOfVersion1(_ context: Context) -> [String: JSONValue] {
        var claims: [String: JSONValue] = ["upn": .string(context.user.principalName(in: context.tenant))]
        claims["given_name"] = context.user.givenName.isEmpty ? nil : .string(context.user.givenName)
        claims["family_name"] = context.user.surname.isEmpty ? nil : .string(context.user.surname)
        claims["ipaddr"] = context.clientAddress.map { .string($0) }
        return claims
    }

    /// The base64url of the JSON that identifies the home account, also for guests.
    ///
    /// With B2C, each policy has its own account.
    func clientInfo(for user: User, policy: String?) throws -> String {
        let uid = policy.map { "\(user.id)-\($0.lowercased())" } ?? user.id
        return JSONValue.object(["uid": .string(uid), "utid": .string(user.homeTenantID)]).encoded().base64URL
    }

    /// The issuer of version 2.0 tokens. External ID's has the tenant's ID as its host, whatever host was called. Azure
    /// AD B2C's ends with a slash.
    static func issuer(base: String, tenantID: String, policy: String? = nil) -> String {
        let base = base.hasSuffix(".ciamlogin.com") ? "https://\(tenantID).ciamlogin.com" : base
        return "\(base)/\(tenantID)/v2.0" + (policy == nil ? "" : "/")
    }

    /// The issuer of version 1.0 tokens, which does not depend on the host.
    static func issuerOfVersion1(tenantID: String) -> String {
        "https://sts.windows.net/\(tenantID)/"
    }

    /// The issuer of a guest's home tenant; personal accounts have `live.com`.
    private func identityProvider(of user: User) -> String {
        user.homeTenantID == directory.personalTenantID
            ? "live.com" : Self.issuerOfVersion1(tenantID: user.homeTenantID)
    }

    /// `recipient`: The client ID of the application or API that receives the token. The subject of a user differs
    /// between them.
    private func common(_ context: Context, recipient: String) -> [String: JSONValue] {
        let now = Int(context.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(
                Self.issuer(base: context.base, tenantID: context.tenant.id, policy: context.entitlement.policy)
            ),
            "iat": .int(now),
            "nbf": .int(now),
            "exp": .int(now + lifetime.wholeSeconds),
            "tid": .string(context.tenant.id),
            "oid": .string(context.user.objectID(in: context.tenant.id) ?? context.user.id),
            "sub": .string(
                PairwiseSubject(userID: context.user.id, tenantID: context.tenant.id, clientID: recipient).text
            ),
            "sid": .string(context.entitlement.family),
            "uti": .string(Secret.random(bytes: 16).exposed),
            "rh": .string(Secret.random(bytes: 16).exposed),
            "aio": .string(Secret.random(bytes: 24).exposed),
        ]
        claims["tfp"] = context.entitlement.policy.map { .string($0) }
        return claims
    }
}
