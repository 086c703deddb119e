// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The token request of a broker on behalf of an app: `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with the
/// credential of a device in `request` ([MS-OAPXBC] §3.2.5.1).
///
/// Simplified: client, scope, and redirect URI are in the form as in any token request, and the response is not
/// encrypted.
struct PrimaryRefreshTokenGrant: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    let devices: DeviceSignIns

    /// Issues an app's tokens for the user of the device, as far as a sign-in without a page would.
    func redeem(
        _ exchange: Exchange,
        client authenticated: AuthenticatedClient,
        in selector: TenantSelector
    ) async throws -> GrantOutcome {
        let form = exchange.form
        let client = authenticated.registration
        guard let credential = form["request"] else { throw EntraError.missingParameter("request") }
        guard case .valid(let signIn, let clientID?) = devices.check(Secret(credential), at: exchange.now),
            clientID.lowercased() == client.clientID.lowercased()
        else { throw EntraError.unknownCodeOrToken }
        try authenticated.requireAuthentication(false)
        if let text = form["redirect_uri"] { _ = try client.checked(redirectURI: text) }

        guard let user = try await store.user(id: signIn.userID) else { throw EntraError.deletedUser }
        guard user.isEnabled else { throw EntraError.disabledUser }
        guard user.accepts(signInAt: signIn.authenticatedAt) else { throw EntraError.grantRevoked }
        guard let tenant = directory.issuingTenant(for: user, in: selector) else {
            throw EntraError.foreignUser(user.userPrincipalName, tenant: exchange.tenantInPath)
        }
        let scopes = try await consents.checked(
            exchange.scopesOfSingleAPI(of: client, in: directory),
            by: user,
            to: client,
            in: tenant
        )
        // There is no page to interact with the user, so the sign-in to the device must already satisfy all
        // requirements.
        let contexts = try policies.contexts(
            of: AccessRequest(exchange, of: user, in: tenant, client: client, audience: scopes.audience),
            proof: AccessProof(
                authenticatedAt: signIn.authenticatedAt,
                hasSecondFactor: signIn.hasSecondFactor,
                isOnManagedDevice: true
            )
        )
        var entitlement = Entitlement(
            family: signIn.id.uuidString.lowercased(),
            userID: user.id,
            tenantID: tenant.id,
            clientID: client.clientID,
            scopes: scopes,
            authenticatedAt: signIn.authenticatedAt,
            capabilities: try RequestedClaims.capabilities(in: form["claims"])
        )
        entitlement.hasSecondFactor = signIn.hasSecondFactor
        entitlement.authenticationContexts = contexts
        entitlement.isOnManagedDevice = true
        return .init(entitlement: entitlement, scopes: scopes)
    }
}
