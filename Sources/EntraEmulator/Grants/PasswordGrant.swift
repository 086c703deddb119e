// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// `grant_type=password`, RFC 6749 §4.3: for tests that cannot open a page, in tenants that allow it.
struct PasswordGrant: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    let passwords: PasswordCheck

    /// Signs a user in with name and password.
    func redeem(
        _ exchange: Exchange,
        client: AuthenticatedClient,
        in selector: TenantSelector
    ) async throws -> GrantOutcome {
        let form = exchange.form
        try client.requireAuthenticationUnlessPublic()
        switch selector {
        case .common, .consumers: throw EntraError.passwordGrantEndpoint
        case .organizations, .tenant: break
        }
        guard let name = form["username"] else { throw EntraError.missingParameter("username") }
        guard let password = form["password"] else { throw EntraError.missingParameter("password") }
        var scopes = try RequestedScopes.parse(exchange.scope, in: directory)
        guard let user = try await store.user(named: name) else { throw EntraError.unknownUser }
        guard let tenant = directory.issuingTenant(for: user, in: selector) else {
            throw EntraError.foreignUser(user.userPrincipalName, tenant: exchange.tenantInPath)
        }
        guard tenant.allowsPasswordGrant else { throw EntraError.passwordGrantForbidden }
        if let problem = passwords.problem(of: user, typing: Secret(password), at: exchange.now) { throw problem }
        let contexts = try policies.contexts(
            of: AccessRequest(exchange, of: user, in: tenant, client: client.registration, audience: scopes.audience),
            proof: AccessProof(authenticatedAt: exchange.now, hasSecondFactor: false)
        )
        scopes = try await consents.checked(scopes, by: user, to: client.registration, in: tenant)
        var entitlement = Entitlement(
            family: UUID().text,
            userID: user.id,
            tenantID: tenant.id,
            clientID: client.clientID,
            scopes: scopes,
            authenticatedAt: exchange.now,
            capabilities: RequestedClaims.capabilities(ifAnyIn: form["claims"])
        )
        entitlement.clientAuthentication = client.authentication
        entitlement.authenticationContexts = contexts
        return GrantOutcome(entitlement: entitlement, scopes: scopes, isSignIn: true)
    }
}
