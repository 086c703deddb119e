// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// An application or a machine that gets an app-only token.
struct ApplicationPrincipal: Sendable {
    let clientID: String
    /// The object ID of its service principal.
    let objectID: String
    let tenant: Tenant
    let authentication: AuthenticationMethod
    /// Its app roles at the API.
    var roles: [String] = []
    /// Client capabilities (`xms_cc`).
    var capabilities: [String] = []
    /// The key that the token is bound to; `nil` issues a bearer token.
    var confirmation: Confirmation?
    /// Additional claims, such as `xms_mirid` of a managed identity.
    var claims: [String: JSONValue] = [:]
    /// The lifetime of the token; `nil` uses the default.
    var lifetime: Duration?
}

extension TokenIssuer {
    /// Issues an app-only access token.
    ///
    /// `identifier`: The API's identifier in the app's request, which is the `aud` of a version 1.0 token.
    func applicationToken(
        for api: API,
        named identifier: String,
        to principal: ApplicationPrincipal,
        exchange: Exchange
    ) async throws -> String {
        let claims = claims(of: principal, at: api, named: identifier, base: exchange.publicBase, now: exchange.now)
        return try await keys.sign(claims)
    }

    /// The claims of an app-only token.
    func claims(
        of principal: ApplicationPrincipal,
        at api: API,
        named identifier: String,
        base: String,
        now date: Date
    ) -> [String: JSONValue] {
        let now = Int(date.timeIntervalSince1970)
        var claims = principal.claims
        claims["iat"] = .int(now)
        claims["nbf"] = .int(now)
        let lifetime = principal.lifetime ?? lifetime(at: api, capabilities: principal.capabilities)
        claims["exp"] = .int(now + lifetime.wholeSeconds)
        claims["tid"] = .string(principal.tenant.id)
        claims["oid"] = .string(principal.objectID)
        claims["sub"] = .string(principal.objectID)
        claims["uti"] = .string(Secret.random(bytes: 16).exposed)
        claims["rh"] = .string(Secret.random(bytes: 16).exposed)
        claims["aio"] = .string(Secret.random(bytes: 24).exposed)
        if !principal.roles.isEmpty { claims["roles"] = .strings(principal.roles) }
        if !principal.capabilities.isEmpty, api.receivesCapabilities {
            claims["xms_cc"] = .strings(principal.capabilities)
        }
        claims["xms_ftd"] = .string(Secret.random(bytes: 32).exposed)
        if api.isGraph || api.requests("idtyp") { claims["idtyp"] = "app" }
        claims["cnf"] = principal.confirmation?.claim
        addVersion(
            of: api,
            named: identifier,
            client: principal.clientID,
            authentication: principal.authentication,
            tenant: principal.tenant,
            base: base,
            to: &claims
        )
        set(nil, in: &claims, names: nil, clientID: principal.clientID, api: api)
        return claims
    }

    /// Adds the claims that differ between versions 1.0 and 2.0 (Microsoft identity platform, "Access token claims
    /// reference"). The API's registration determines the version, not the endpoint.
    func addVersion(
        of api: API,
        named identifier: String?,
        client clientID: String,
        authentication: AuthenticationMethod,
        tenant: Tenant,
        base: String,
        to claims: inout [String: JSONValue]
    ) {
        let method = JSONValue.string(String(authentication.rawValue))
        if api.acceptedTokenVersion == 1 {
            claims["ver"] = "1.0"
            claims["iss"] = .string(Self.issuerOfVersion1(tenantID: tenant.id))
            let name = api.requests("aud", with: "use_guid") ? api.audience : identifier
            claims["aud"] = .string(name ?? (api.isGraph ? api.audience : api.identifierURI))
            claims["appid"] = .string(clientID)
            claims["appidacr"] = method
        } else {
            claims["ver"] = "2.0"
            // A user's token already has one, which may depend on a policy.
            claims["iss"] = claims["iss"] ?? .string(Self.issuer(base: base, tenantID: tenant.id))
            claims["aud"] = .string(api.audience)
            claims["azp"] = .string(clientID)
            claims["azpacr"] = method
        }
    }
}
