// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `grant_type=client_credentials`, RFC 6749 §4.4: an application gets an app-only token.
struct ClientCredentialsGrant: Sendable {
    let directory: ServedDirectory
    let issuer: TokenIssuer
    let agents: AgentExchange
    let policies: AccessPolicies

    /// Responds with only an access token (RFC 6749 §4.4.3).
    func respond(
        to exchange: Exchange,
        client: AuthenticatedClient,
        in selector: TenantSelector,
        boundTo confirmation: Confirmation?
    ) async throws -> Response {
        try client.requireAuthentication()
        guard case .tenant(let tenant) = selector else { throw EntraError.noTenantForApplication }
        guard client.registration.servicePrincipals?.contains(tenant.id) ?? true else {
            throw EntraError.missingPrincipal(client.clientID, in: tenant.id)
        }
        guard let scope = exchange.resourceScope else {
            throw exchange.isVersion1 ? EntraError.missingResource : .missingParameter("scope")
        }
        var principal = ApplicationPrincipal(
            clientID: client.clientID,
            objectID: client.registration.agent?.id ?? tenant.servicePrincipalID(of: client.clientID),
            tenant: tenant,
            authentication: client.authentication
        )
        principal.claims = issuer.agentClaims(of: client.clientID, user: nil)
        principal.capabilities = try RequestedClaims.capabilities(in: exchange.form["claims"])
        principal.confirmation = confirmation
        let token: String
        let identifier: String
        var lifetime = issuer.lifetime
        if let subject = try agents.subject(of: scope, in: exchange, client: client, tenant: tenant) {
            token = try await agents.token(for: subject, to: principal, exchange: exchange)
            identifier = AgentExchange.audience
        } else {
            let api: API
            (api, identifier) = try resource(of: scope)
            try exchange.checkResource(isThatOf: api.audience, in: directory)
            try policies.checkAgent(client.registration, audience: api.audience, exchange: exchange)
            principal.roles = client.registration.grantedRoles[api.audience] ?? []
            token = try await issuer.applicationToken(for: api, named: identifier, to: principal, exchange: exchange)
            lifetime = issuer.lifetime(at: api, capabilities: principal.capabilities)
        }
        var body = lifetime.responseMembers
        body["token_type"] = .string(confirmation?.tokenType ?? "Bearer")
        body["access_token"] = .string(token)
        return try exchange.tokenResponse(body, resource: identifier)
    }

    /// The API that a scope names, with its name as the app wrote it.
    private func resource(of scope: String) throws(EntraError) -> (API, String) {
        // MSAL for Go also requests OpenID Connect scopes, which have no effect without a user.
        let names = scope.split(separator: " ").filter { !RequestedScopes.openIDScopes.contains($0.lowercased()) }
        guard names.count == 1, let name = names.first, let slash = name.lastIndex(of: "/"),
            name[slash...].lowercased() == "/.default"
        else {
            throw .scopeIsNotDefault(scope)
        }
        // A resource whose name ends with a slash has two slashes before `.default`.
        let identifier = String(name[..<slash])
        guard let api = directory.api(identifier: identifier) else { throw .unknownResource(identifier) }
        return (api, identifier)
    }
}
