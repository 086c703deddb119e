// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Issues the tokens that a grant allows.
struct TokenResponses: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let editor: ServedDirectoryEditor
    let issuer: TokenIssuer
    /// The lifetime of refresh tokens; those of single-page applications are always valid for 24 hours.
    let refreshTokenLifetime: Duration

    /// Issues the tokens of a grant.
    ///
    /// `selector`: The tenants of the request.
    /// `confirmation`: The key that the access token is bound to; `nil` issues a bearer token.
    func response(
        to exchange: Exchange,
        granting outcome: GrantOutcome,
        in selector: TenantSelector,
        boundTo confirmation: Confirmation? = nil
    ) async throws -> Response {
        var entitlement = outcome.entitlement
        guard let user = try await store.user(id: entitlement.userID) else { throw EntraError.unknownUser }
        guard user.isEnabled else { throw EntraError.disabledUser }
        guard let tenant = tenant(for: user, entitlement: entitlement, in: selector) else {
            throw EntraError.foreignUser(user.userPrincipalName, tenant: entitlement.tenantID)
        }
        entitlement.tenantID = tenant.id
        if outcome.isSignIn {
            entitlement.claims = try editor.takeTokenClaims(of: user, in: tenant, clientID: entitlement.clientID)
        }
        let context = TokenIssuer.Context(
            entitlement: entitlement,
            user: user,
            tenant: tenant,
            base: exchange.publicBase,
            now: exchange.now,
            confirmation: confirmation,
            address: exchange.clientAddress,
            isVersion1: exchange.isVersion1
        )
        let lifetime = issuer.lifetime.wholeSeconds
        var body: [String: JSONValue] = [
            "token_type": .string(confirmation?.tokenType ?? "Bearer"),
            "scope": .string(outcome.scopes.granted(in: directory)),
            "expires_in": .int(lifetime),
            "ext_expires_in": .int(lifetime),
            "refresh_in": .int(lifetime / 2),
            "access_token": .string(try await issuer.accessToken(context, scopes: outcome.scopes)),
        ]
        if outcome.scopes.wantsRefreshToken {
            if directory.application(entitlement.clientID)?.isInFamily == true { body["foci"] = "1" }
            let token = try await issueRefreshToken(
                for: entitlement,
                expiresAt: outcome.refreshTokenExpiry,
                exchange: exchange
            )
            body["refresh_token"] = .string(token.exposed)
        }
        if outcome.scopes.wantsIDToken {
            body["id_token"] = .string(try await issuer.idToken(context, scopes: outcome.scopes))
        }
        // Web flows send `1`, native ones `true`.
        if ["1", "true"].contains(exchange.form["client_info"]?.lowercased()) {
            body["client_info"] = .string(try issuer.clientInfo(for: user, policy: entitlement.policy))
        }
        let resource = directory.api(audience: outcome.scopes.audience)
        return try exchange.tokenResponse(body, resource: outcome.scopes.resourceName ?? resource?.identifierURI)
    }

    /// The tenant of the tokens: the tenant of the request, otherwise the one that the user signed in to.
    private func tenant(for user: User, entitlement: Entitlement, in selector: TenantSelector) -> Tenant? {
        switch selector {
        case .tenant: directory.issuingTenant(for: user, in: selector)
        case .common, .organizations, .consumers:
            directory.tenant(id: entitlement.tenantID).flatMap { selector.admits($0) ? $0 : nil }
        }
    }

    private func issueRefreshToken(
        for entitlement: Entitlement,
        expiresAt expiry: Date?,
        exchange: Exchange
    ) async throws -> Secret {
        let secret = Secret("1.\(Secret.random(bytes: 64).exposed)")
        let lifetime = entitlement.isSinglePage ? .seconds(86_400) : refreshTokenLifetime
        let token = RefreshToken(
            entitlement: entitlement,
            expiresAt: expiry ?? exchange.now.addingTimeInterval(lifetime.seconds)
        )
        try await store.save(token, as: secret)
        return secret
    }
}
