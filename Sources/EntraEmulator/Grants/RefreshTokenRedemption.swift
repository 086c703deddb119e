// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// `grant_type=refresh_token`, RFC 6749 §6.
struct RefreshTokenRedemption: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    /// Whether using a token twice ends the sign-in; `nil` leaves it to the tenant.
    let strictRotation: Bool?

    /// Redeems a refresh token for any API that the user has consented to.
    ///
    /// As in the service, the old token remains valid; under strict rotation, its second use ends the sign-in.
    func redeem(_ exchange: Exchange, client authenticated: AuthenticatedClient) async throws -> GrantOutcome {
        let form = exchange.form
        let client = authenticated.registration
        guard let secret = form["refresh_token"] else { throw EntraError.missingParameter("refresh_token") }
        guard let token = try await store.refreshToken(Secret(secret)) else { throw EntraError.unknownCodeOrToken }
        try checkClient(client, of: token)
        try authenticated.requireAuthentication(token.entitlement.isConfidential)
        let isSinglePage = token.entitlement.isSinglePage
        guard token.expiresAt > exchange.now else {
            throw isSinglePage ? EntraError.singlePageTokenExpired : .refreshTokenInactive
        }
        try exchange.checkOrigin(isSinglePage: isSinglePage)
        guard try await !store.isRevoked(family: token.entitlement.family) else {
            throw EntraError.grantRevoked
        }
        var entitlement = token.entitlement
        if let claims = form["claims"] { entitlement.capabilities = try RequestedClaims.capabilities(in: claims) }
        let user = try await self.user(of: entitlement)
        // Another app of the family gets tokens under its own client ID.
        entitlement.clientID = client.clientID
        entitlement.clientAuthentication = authenticated.authentication
        // The nonce belongs to the authorization request; according to OpenID Connect Core §12.2, it should not be
        // repeated.
        entitlement.nonce = nil
        var granted = entitlement.scopes
        if form["scope"] != nil || (exchange.isVersion1 && form["resource"] != nil) {
            // Microsoft identity platform, "OAuth 2.0 authorization code flow", "Refresh the access token": of the scopes
            // of several APIs, those of the first one count.
            granted = try exchange.requestedScopes(of: client, in: directory)
        } else if entitlement.policy == nil, client.isNamedByURI(in: granted) {
            throw EntraError.tokenForItself(client.clientID, named: client.displayName)
        }
        let given = try await consents(by: user, to: client, entitlement: entitlement, audience: granted.audience)
        granted.narrow(to: given)
        guard given.isSuperset(of: granted.permissions) else {
            throw EntraError.consentRequired(client.clientID, inTokenRequest: true)
        }
        try checkPolicies(
            of: user,
            to: client,
            audience: granted.audience,
            exchange: exchange,
            entitlement: &entitlement
        )
        if strictRotation ?? directory.tenant(id: entitlement.tenantID)?.rotatesStrictly ?? false {
            // This comes last, because a request that fails must not consume the client's token.
            try await store.markRedeemed(Secret(secret), family: entitlement.family)
            guard try await !store.isRevoked(family: entitlement.family) else {
                throw EntraError.grantRevoked
            }
        }
        let allowed = RequestedScopes(
            openID: granted.openID.filter { given.contains($0) || entitlement.scopes.openID.contains($0) },
            audience: granted.audience,
            permissions: granted.permissions,
            writtenPrefix: granted.writtenPrefix
        )
        // The lifetime of a single-page application's token does not start again.
        return .init(
            entitlement: entitlement,
            scopes: allowed,
            refreshTokenExpiry: isSinglePage ? token.expiresAt : nil
        )
    }

    /// Checks that the token belongs to the app, or to another app of its family.
    private func checkClient(_ client: AppRegistration, of token: RefreshToken) throws(EntraError) {
        guard token.entitlement.clientID.lowercased() != client.clientID.lowercased() else { return }
        guard directory.application(token.entitlement.clientID)?.isInFamily == true else {
            throw .unknownCodeOrToken
        }
        guard client.isInFamily else { throw .notInFamily }
    }

    /// The user of the token, unless the account was removed or its password has changed since.
    private func user(of entitlement: Entitlement) async throws -> User {
        guard let user = try await store.user(id: entitlement.userID) else { throw EntraError.deletedUser }
        guard user.accepts(signInAt: entitlement.authenticatedAt) else { throw EntraError.grantRevoked }
        return user
    }

    private func consents(
        by user: User,
        to client: AppRegistration,
        entitlement: Entitlement,
        audience: String
    ) async throws -> Set<String> {
        guard let tenant = directory.tenant(id: entitlement.tenantID) else { return [] }
        return try await consents.given(by: user, to: client, in: tenant, audience: audience)
    }

    /// Applies the policies of a sign-in to a refresh. The refresh may request an authentication context, and keeps
    /// those that are still satisfied.
    private func checkPolicies(
        of user: User,
        to client: AppRegistration,
        audience: String,
        exchange: Exchange,
        entitlement: inout Entitlement
    ) throws(EntraError) {
        guard let tenant = directory.tenant(id: entitlement.tenantID) else { return }
        let before = entitlement
        entitlement.authenticationContexts = try policies.contexts(
            of: AccessRequest(exchange, of: user, in: tenant, client: client, audience: audience),
            proof: AccessProof(before),
            earlier: before.authenticationContexts ?? []
        ) {
            $0.refusal(of: before)
        }
    }
}

extension AccessProof {
    /// The proofs from the sign-in of an entitlement.
    init(_ entitlement: Entitlement) {
        self.init(
            authenticatedAt: entitlement.authenticatedAt,
            hasSecondFactor: entitlement.hasSecondFactor == true,
            isOnManagedDevice: entitlement.isOnManagedDevice
        )
    }
}
