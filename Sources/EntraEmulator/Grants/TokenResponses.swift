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
            isVersion1: exchange.isVersion1,
            clientAddress: exchange.clientAddress
        )
        guard var api = directory.api(audience: outcome.scopes.audience) else {
            throw EntraError.unknownResource(outcome.scopes.audience)
        }
        // Azure AD B2C has no version 1.0 tokens.
        if api.isImplicit, entitlement.policy != nil { api.acceptedTokenVersion = 2 }
        if !entitlement.capabilities.isEmpty, !api.receivesCapabilities {
            RequestNotes.note(
                remark: "'\(api.displayName)' does not get the capabilities of the client; to send them, add "
                    + "optionalClaims: [xms_cc] to the API"
            )
        }
        var body = issuer.lifetime(at: api, capabilities: entitlement.capabilities).responseMembers
        body["token_type"] = .string(confirmation?.tokenType ?? "Bearer")
        body["scope"] = .string(outcome.scopes.granted(in: directory))
        body["access_token"] = .string(try await issuer.accessToken(context, for: api, scopes: outcome.scopes))
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
        return try exchange.tokenResponse(body, resource: outcome.scopes.resourceName ?? api.identifierURI)
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

extension Duration {
    /// The members of a token response about this lifetime. The service includes `refresh_in` only from two hours on.
    var responseMembers: [String: JSONValue] {
        var members: [String: JSONValue] = ["expires_in": .int(wholeSeconds), "ext_expires_in": .int(wholeSeconds)]
        if wholeSeconds >= 7_200 { members["refresh_in"] = .int(wholeSeconds / 2) }
        return members
    }
}
