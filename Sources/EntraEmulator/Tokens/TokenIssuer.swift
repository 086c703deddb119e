// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// Issues access tokens and id tokens.
struct TokenIssuer: Sendable {
    let keys: SigningKeys
    let directory: Directory
    /// Access and id tokens live this long.
    let lifetime: Duration

    /// The user of the tokens, the sign-in, and the request.
    struct Context: Sendable {
        let entitlement: Entitlement
        let user: User
        let tenant: Tenant
        /// `https://host[:port]` of the request; the issuer starts with it.
        let base: String
        let now: Date
        /// The key that the access token is bound to; `nil` makes a bearer token.
        var confirmation: Confirmation?
    }

    /// Mints an access token for the API of the entitlement, with exactly these permissions.
    func accessToken(_ context: Context, scopes: RequestedScopes) async throws -> String {
        let entitlement = context.entitlement
        let isGraph = directory.api(audience: scopes.audience)?.isGraph ?? false
        let openID = isGraph ? scopes.openID.filter { $0 != "offline_access" } : []
        var claims = common(context)
        claims["aud"] = .string(scopes.audience)
        claims["scp"] = .string((scopes.permissions + openID).joined(separator: " "))
        claims["name"] = .string(context.user.displayName)
        // Graph's tokens are of version 1.0, those of other APIs of version 2.0.
        if isGraph {
            claims["ver"] = "1.0"
            claims["iss"] = .string("https://sts.windows.net/\(context.tenant.id)/")
            claims["appid"] = .string(entitlement.clientID)
            claims["appidacr"] = "0"
            claims["idtyp"] = "user"
            claims["upn"] = .string(context.user.principalName(in: context.tenant))
        } else {
            claims["ver"] = "2.0"
            claims["azp"] = .string(entitlement.clientID)
            claims["azpacr"] = "0"
            claims["preferred_username"] = .string(context.user.userPrincipalName)
        }
        if !entitlement.capabilities.isEmpty {
            claims["xms_cc"] = .strings(entitlement.capabilities)
        }
        claims["cnf"] = context.confirmation?.claim
        return try await keys.sign(claims)
    }

    /// Mints the id token for the client.
    ///
    /// `code`: In the hybrid flow the code sent beside it, for `c_hash` (OpenID Connect Core §3.3.2.11).
    func idToken(_ context: Context, scopes: RequestedScopes, code: Secret? = nil) async throws -> String {
        var claims = common(context)
        claims["aud"] = .string(context.entitlement.clientID)
        claims["ver"] = "2.0"
        claims["auth_time"] = .int(Int(context.entitlement.authenticatedAt.timeIntervalSince1970))
        claims["nonce"] = context.entitlement.nonce.map { .string($0) }
        if context.entitlement.policy != nil { claims["emails"] = .strings([context.user.userPrincipalName]) }
        // Microsoft identity platform, "ID token claims reference": these need the `profile` scope.
        if scopes.openID.contains("profile") {
            claims["name"] = .string(context.user.displayName)
            // B2C has the addresses instead.
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
        if let code {
            let digest = SHA256.hash(data: Data(code.revealed.utf8))
            claims["c_hash"] = .string(Data(digest.prefix(16)).base64URL)
        }
        return try await keys.sign(claims)
    }

    /// base64url of the JSON that names the home account; also for guests it is the home one.
    ///
    /// With B2C, each policy has an account of its own.
    func clientInfo(for user: User, policy: String?) throws -> String {
        let uid = policy.map { "\(user.id)-\($0.lowercased())" } ?? user.id
        return try JSONValue.object(["uid": .string(uid), "utid": .string(user.homeTenantID)]).encoded().base64URL
    }

    /// The issuer of version 2.0 tokens.
    static func issuer(base: String, tenantID: String) -> String {
        "\(base)/\(tenantID)/v2.0"
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
            "uti": .string(Secret.random(bytes: 16).revealed),
        ]
        claims["tfp"] = context.entitlement.policy.map { .string($0) }
        return claims
    }

    /// A subject that differs between applications, OpenID Connect Core §8.1.
    private func pairwiseSubject(_ context: Context) -> String {
        let parts = [context.user.id, context.tenant.id, context.entitlement.clientID.lowercased()]
        return Data(SHA256.hash(data: Data(parts.joined(separator: "|").utf8))).base64URL
    }
}
