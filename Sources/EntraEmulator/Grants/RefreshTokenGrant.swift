// Licensed under the MIT License. See LICENSE.

import Foundation

/// `grant_type=refresh_token`, RFC 6749 §6.
struct RefreshTokenGrant: Sendable {
    let platform: Platform

    /// Redeems a refresh token for any API the person has consented to.
    ///
    /// The old token stays valid as with the service; under strict rotation its second use ends the sign-in (E1).
    func redeem(
        _ form: FormValues,
        _ client: AppRegistration,
        _ exchange: Exchange
    ) async throws -> TokenEndpoint.Outcome {
        guard let secret = form["refresh_token"] else { throw EntraError.missingParameter("refresh_token") }
        guard let token = try await platform.store.refreshToken(Secret(secret)) else { throw EntraError.invalidGrant }
        try checkClient(client, of: token)
        let isSinglePage = token.entitlement.isSinglePage
        guard token.expiresAt > exchange.now else {
            throw isSinglePage ? EntraError.singlePageTokenExpired : .refreshTokenInactive
        }
        try exchange.checkOrigin(isSinglePage: isSinglePage)
        guard try await !platform.store.isRevoked(family: token.entitlement.family) else {
            throw EntraError.grantRevoked
        }
        var entitlement = token.entitlement
        if let claims = form["claims"] { entitlement.capabilities = try AuthorizationRequest.capabilities(claims) }
        let user = try await self.user(of: entitlement)
        // Another app of the family gets tokens in its own name.
        entitlement.clientID = client.clientID
        // The nonce belongs to the authorization request; OpenID Connect Core §12.2 does not want it repeated.
        entitlement.nonce = nil
        let scopes = try form["scope"].map { text throws(EntraError) in
            try RequestedScopes.parse(text, in: platform.directory)
        }
        var granted = scopes ?? entitlement.scopes
        let given = try await consents(of: user, to: client, entitlement, audience: granted.audience)
        granted.narrow(to: given)
        guard given.isSuperset(of: granted.permissions) else {
            throw EntraError.consentRequired(client.clientID, inTokenRequest: true)
        }
        try checkPolicies(user, entitlement, client, audience: granted.audience)
        if platform.configuration.strictRotation ?? platform.directory.tenant(id: entitlement.tenantID)?.rotatesStrictly
            ?? false
        {
            // Only now: a request that gave nothing must not cost the client its token.
            try await platform.store.spend(Secret(secret), family: entitlement.family)
            guard try await !platform.store.isRevoked(family: entitlement.family) else {
                throw EntraError.grantRevoked
            }
        }
        let allowed = RequestedScopes(
            openID: granted.openID.filter { given.contains($0) || entitlement.scopes.openID.contains($0) },
            audience: granted.audience,
            permissions: granted.permissions,
            writtenPrefix: granted.writtenPrefix
        )
        // Those of single-page applications do not begin a new day.
        return .init(
            entitlement: entitlement,
            scopes: allowed,
            refreshTokenExpiry: isSinglePage ? token.expiresAt : nil
        )
    }

    /// The token is the app's own, or one of its family's.
    private func checkClient(_ client: AppRegistration, of token: RefreshToken) throws(EntraError) {
        guard token.entitlement.clientID.lowercased() != client.clientID.lowercased() else { return }
        guard platform.directory.application(token.entitlement.clientID)?.isInFamily == true else {
            throw .invalidGrant
        }
        guard client.isInFamily else { throw .notInFamily }
    }

    /// Whose token it is, unless the account has gone or was given a new password since.
    private func user(of entitlement: Entitlement) async throws -> User {
        guard let user = try await platform.store.user(id: entitlement.userID) else { throw EntraError.deletedUser }
        guard user.accepts(signInAt: entitlement.authenticatedAt) else { throw EntraError.grantRevoked }
        return user
    }

    private func consents(
        of user: User,
        to client: AppRegistration,
        _ entitlement: Entitlement,
        audience: String
    ) async throws -> Set<String> {
        guard let tenant = platform.directory.tenant(id: entitlement.tenantID) else { return [] }
        return try await platform.consents(of: user, to: client, in: tenant, audience: audience)
    }

    /// What a sign-in would meet now, a refresh meets too.
    private func checkPolicies(
        _ user: User,
        _ entitlement: Entitlement,
        _ client: AppRegistration,
        audience: String
    ) throws(EntraError) {
        if user.customer?.passwordState == .mustChange { throw .passwordChangeRequired }
        let resource = platform.directory.resource(audience: audience)
        if resource?.requiresSecondFactor == true, entitlement.hasSecondFactor != true {
            // There is no continuation token to go on with, so this is no step of a journey and has no suberror.
            var error = EntraError.secondFactorRequired
            error.suberror = nil
            throw error
        }
    }
}
