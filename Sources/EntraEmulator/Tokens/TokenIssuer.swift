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
    }

    /// Issues an access token for the API of the entitlement, with exactly these permissions.
    func accessToken(_ context: Context, scopes: RequestedScopes) async throws -> String {
        guard let api = directory.api(audience: scopes.audience) else {
            throw EntraError.unknownResource(scopes.audience)
        }
        return try await keys.sign(claims(of: context, at: api, scopes: scopes))
    }

    /// The claims of a user's access token.
    func claims(of context: Context, at api: API, scopes: RequestedScopes) -> [String: JSONValue] {
        let entitlement = context.entitlement
        let openID = api.isGraph ? scopes.openID.filter { $0 != "offline_access" } : []
        var claims = common(context)
        claims["scp"] = .string((scopes.permissions + openID).joined(separator: " "))
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
            claims["upn"] = .string(name)
            claims["unique_name"] = .string(name)
        } else {
            claims["preferred_username"] = .string(context.user.userPrincipalName)
        }
        if api.isGraph || api.optionalClaims.contains("idtyp") { claims["idtyp"] = "user" }
        let roles = directory.roles(of: context.user, in: context.tenant, at: api)
        if !roles.isEmpty { claims["roles"] = .strings(roles) }
        claims.merge(optional(Set(api.optionalClaims), in: context)) { own, _ in own }
        if let contexts = entitlement.authenticationContexts, !contexts.isEmpty { claims["acrs"] = .strings(contexts) }
        if !entitlement.capabilities.isEmpty {
            claims["xms_cc"] = .strings(entitlement.capabilities)
        }
        claims["cnf"] = context.confirmation?.claim
        claims.merge(agentClaims(of: entitlement.clientID, user: context.user)) { _, new in new }
        return claims
    }

    /// Issues the ID token for the client.
    ///
    /// `code`: In the hybrid flow, the code that is sent with it, for `c_hash` (OpenID Connect Core §3.3.2.11).
    func idToken(_ context: Context, scopes: RequestedScopes, code: Secret? = nil) async throws -> String {
        var claims = common(context)
        claims["aud"] = .string(context.entitlement.clientID)
        claims["ver"] = context.isVersion1 ? "1.0" : "2.0"
        if context.isVersion1 { claims["iss"] = .string(Self.issuerOfVersion1(tenantID: context.tenant.id)) }
        claims["auth_time"] = .int(Int(context.entitlement.authenticatedAt.timeIntervalSince1970))
        claims["nonce"] = context.entitlement.nonce.map { .string($0) }
        if context.entitlement.policy != nil { claims["emails"] = .strings([context.user.userPrincipalName]) }
        // Microsoft identity platform, "ID token claims reference": in version 2.0, these require the `profile` scope;
        // version 1.0 has different claims for the user's name.
        if context.isVersion1 {
            let name = JSONValue.string(context.user.principalName(in: context.tenant))
            claims.merge(["name": .string(context.user.displayName), "upn": name, "unique_name": name]) { _, new in new
            }
        } else if scopes.openID.contains("profile") {
            claims["name"] = .string(context.user.displayName)
            // B2C includes the addresses instead.
            if context.entitlement.policy == nil {
                claims["preferred_username"] = .string(context.user.userPrincipalName)
            }
        } else {
            claims["oid"] = nil
        }
        if scopes.openID.contains("email") {
            claims["email"] = .string(context.user.userPrincipalName)
        }
        if context.tenant.id != context.user.homeTenantID {
            claims["idp"] = .string("https://sts.windows.net/\(context.user.homeTenantID)/")
        }
        if let client = directory.application(context.entitlement.clientID) {
            claims.merge(optional(client.optionalClaims, in: context)) { own, _ in own }
            // In the service, an application is also the API that it exposes.
            let roles = directory.api(identifier: client.clientID).map {
                directory.roles(of: context.user, in: context.tenant, at: $0)
            }
            if let roles, !roles.isEmpty { claims["roles"] = .strings(roles) }
        }
        if let code {
            let digest = SHA256.hash(data: Data(code.exposed.utf8))
            claims["c_hash"] = .string(Data(digest.prefix(16)).base64URL)
        }
        return try await keys.sign(claims)
    }

    /// The optional claims of a registration (Microsoft identity platform, "Optional claims reference").
    private func optional(_ names: Set<String>, in context: Context) -> [String: JSONValue] {
        let user = context.user
        var claims: [String: JSONValue] = [:]
        for name in names {
            switch OptionalClaim(rawValue: name) {
            case .email: claims[name] = .string(user.userPrincipalName)
            case .upn: claims[name] = .string(user.principalName(in: context.tenant))
            case .givenName: claims[name] = .string(user.givenName)
            case .familyName: claims[name] = .string(user.surname)
            case .preferredUserName: claims[name] = .string(user.userPrincipalName)
            // 0 is a member, 1 a guest.
            case .acct: claims[name] = .int(context.tenant.id == user.homeTenantID ? 0 : 1)
            case .authenticationTime:
                claims[name] = .int(Int(context.entitlement.authenticatedAt.timeIntervalSince1970))
            case .loginHint: claims[name] = .string(keys.hints.text(for: user))
            case .groups: claims.merge(groups(in: context)) { own, _ in own }
            // Access tokens already have the claim.
            case .kindOfToken, nil: continue
            }
        }
        return claims
    }

    private static let groupLimit = 200

    /// The groups. If there are too many for a token, the claims only tell where to read them (Microsoft identity
    /// platform, "Configure group claims and app roles in tokens").
    private func groups(in context: Context) -> [String: JSONValue] {
        let own = directory.groups(of: context.user, in: context.tenant)
        let ids = directory.closure(of: own, in: context.tenant).map(\.id)
        guard ids.count > Self.groupLimit else { return ["groups": .strings(ids)] }
        let host = String(context.base.dropFirst("https://".count))
        let id = context.user.objectID(in: context.tenant.id) ?? context.user.id
        let address = "https://\(KnownHosts.graph(of: host) ?? host)/v1.0/users/\(id)/getMemberObjects"
        return [
            "_claim_names": ["groups": "src1"],
            "_claim_sources": ["src1": ["endpoint": .string(address)]],
        ]
    }

    /// The base64url of the JSON that identifies the home account, also for guests.
    ///
    /// With B2C, each policy has its own account.
    func clientInfo(for user: User, policy: String?) throws -> String {
        let uid = policy.map { "\(user.id)-\($0.lowercased())" } ?? user.id
        return JSONValue.object(["uid": .string(uid), "utid": .string(user.homeTenantID)]).encoded().base64URL
    }

    /// The issuer of version 2.0 tokens. External ID's has the tenant's id as its host, whatever host was called.
    static func issuer(base: String, tenantID: String) -> String {
        let base = base.hasSuffix(".ciamlogin.com") ? "https://\(tenantID).ciamlogin.com" : base
        return "\(base)/\(tenantID)/v2.0"
    }

    /// The issuer of version 1.0 tokens, which does not depend on the host.
    static func issuerOfVersion1(tenantID: String) -> String {
        "https://sts.windows.net/\(tenantID)/"
    }

    private func common(_ context: Context) -> [String: JSONValue] {
        let now = Int(context.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer(base: context.base, tenantID: context.tenant.id)),
            "iat": .int(now),
            "nbf": .int(now),
            "exp": .int(now + lifetime.wholeSeconds),
            "tid": .string(context.tenant.id),
            "oid": .string(context.user.objectID(in: context.tenant.id) ?? context.user.id),
            "sub": .string(pairwiseSubject(context)),
            "sid": .string(context.entitlement.family),
            "uti": .string(Secret.random(bytes: 16).exposed),
            "rh": .string(Secret.random(bytes: 16).exposed),
            "aio": .string(Secret.random(bytes: 24).exposed),
        ]
        claims["tfp"] = context.entitlement.policy.map { .string($0) }
        return claims
    }

    private func pairwiseSubject(_ context: Context) -> String {
        PairwiseSubject(
            userID: context.user.id,
            tenantID: context.tenant.id,
            clientID: context.entitlement.clientID
        ).text
    }
}
