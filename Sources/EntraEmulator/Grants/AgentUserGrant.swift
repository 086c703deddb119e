// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// `grant_type=user_fic` (Microsoft Entra, "Agent user impersonation protocol"): an agent gets tokens of its user account.
struct AgentUserGrant: Sendable {
    static let grantType = "user_fic"

    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    let exchange: AgentExchange

    /// Checks the agent's proof, and finds the user account.
    func redeem(
        _ request: Exchange,
        client: AuthenticatedClient,
        in selector: TenantSelector
    ) async throws -> GrantOutcome {
        try client.requireAuthentication()
        guard let agent = client.registration.agent, case .tenant(let tenant) = selector else {
            throw EntraError.userGrantWithoutAgent(client.clientID)
        }
        let form = request.form
        guard let proof = form["user_federated_identity_credential"] else {
            throw EntraError.missingParameter("user_federated_identity_credential")
        }
        try await exchange.checkProof(Secret(proof), of: agent, at: request.now)
        let user = try await user(form, in: tenant)
        guard user.agent == agent.id else {
            throw EntraError.unassignedAgentUser(user.userPrincipalName, of: agent.id)
        }
        guard user.isEnabled else { throw EntraError.disabledUser }

        let requested = try request.scopesOfSingleAPI(of: client.registration, in: exchange.directory)
        let scopes = try await consents.checked(requested, by: user, to: client.registration, in: tenant)
        let contexts = try policies.contexts(
            of: AccessRequest(request, of: user, in: tenant, client: client.registration, audience: scopes.audience),
            proof: AccessProof(authenticatedAt: request.now, hasSecondFactor: false)
        )
        var entitlement = Entitlement(
            family: UUID.random().text,
            userID: user.id,
            tenantID: tenant.id,
            clientID: client.clientID,
            scopes: scopes,
            authenticatedAt: request.now,
            capabilities: try RequestedClaims.capabilities(in: form["claims"])
        )
        entitlement.authenticationContexts = contexts
        entitlement.clientAuthentication = client.authentication
        return GrantOutcome(entitlement: entitlement, scopes: scopes)
    }

    private func user(_ form: FormValues, in tenant: Tenant) async throws -> User {
        let found: User?
        switch (form["user_id"], form["username"]) {
        case (let id?, nil): found = try await store.user(objectID: id.lowercased(), in: tenant.id)
        case (nil, let name?): found = try await store.user(named: name)
        case (nil, nil): throw EntraError.missingParameter("user_id")
        case (_?, _?): throw EntraError.agentUserNames
        }
        guard let found, found.objectID(in: tenant.id) != nil else { throw EntraError.unknownUser }
        return found
    }
}
