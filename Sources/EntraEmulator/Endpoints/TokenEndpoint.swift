// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `POST /{tenant}/oauth2/v2.0/token`: picks the grant, and turns what it allows into an answer.
struct TokenEndpoint: Sendable {
    let platform: Platform

    /// What a grant allows.
    struct Outcome: Sendable {
        let entitlement: Entitlement
        /// The scopes of this answer; a refresh may ask for another API.
        let scopes: RequestedScopes
        /// When the refresh token of this answer ends; without it, a full lifetime from now.
        var refreshTokenExpiry: Date?
    }

    /// Answers a token request.
    ///
    /// - Throws: `EntraError`, rendered as JSON.
    func respond(_ exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        let selector = try platform.selector(segment)
        let form = exchange.form
        if let grantType = NativeGrant.GrantType(exchange), case .tenant(let tenant) = selector, tenant.allowsSignUp {
            return try await answer(NativeGrant(platform: platform), grantType, selector, tenant, exchange)
        }
        if let name = form.duplicatedName { throw EntraError.duplicatedParameter(name) }
        guard let grantType = form["grant_type"] else { throw EntraError.missingParameter("grant_type") }
        guard let clientID = form["client_id"] else { throw EntraError.missingParameter("client_id") }
        guard let client = platform.directory.application(clientID) else { throw EntraError.unknownClient(clientID) }
        guard form["client_secret"] == nil, form["client_assertion"] == nil, exchange.headers[.authorization] == nil
        else { throw EntraError.publicClientSecret }
        let confirmation = try Confirmation(form)

        let outcome: Outcome
        switch grantType {
        case "authorization_code":
            outcome = try await AuthorizationCodeGrant(platform: platform).redeem(form, client, selector, exchange)
        case "refresh_token":
            outcome = try await RefreshTokenGrant(platform: platform).redeem(form, client, exchange)
        case DeviceCodeGrant.grantType:
            outcome = try DeviceCodeGrant(platform: platform).redeem(form, client, exchange)
        default: throw EntraError.unsupportedGrant(grantType)
        }
        return try await answer(outcome, selector, exchange, confirmation)
    }

    private func answer(
        _ grant: NativeGrant,
        _ grantType: NativeGrant.GrantType,
        _ selector: TenantSelector,
        _ tenant: Tenant,
        _ exchange: Exchange
    ) async throws -> Response {
        switch try await grant.redeem(grantType, NativeRequest(exchange, tenant, platform)) {
        case .tokens(let outcome): return try await answer(outcome, selector, exchange)
        case .redirect(let reason): return try .nativeRedirect(reason)
        }
    }

    /// Issues the tokens of a grant; with a `confirmation`, an access token that is bound to that key.
    func answer(
        _ outcome: Outcome,
        _ selector: TenantSelector,
        _ exchange: Exchange,
        _ confirmation: Confirmation? = nil
    ) async throws -> Response {
        var entitlement = outcome.entitlement
        guard let user = try await platform.store.user(id: entitlement.userID) else { throw EntraError.unknownUser }
        guard user.isEnabled else { throw EntraError.disabledUser }
        guard let tenant = tenant(for: user, entitlement, selector) else {
            throw EntraError.foreignUser(user.userPrincipalName, tenant: entitlement.tenantID)
        }
        entitlement.tenantID = tenant.id
        let context = TokenIssuer.Context(
            entitlement: entitlement,
            user: user,
            tenant: tenant,
            base: exchange.base,
            now: exchange.now,
            confirmation: confirmation
        )
        let lifetime = platform.issuer.lifetime.wholeSeconds
        var body: [String: JSONValue] = [
            "token_type": confirmation == nil ? "Bearer" : "pop",
            "scope": .string(grantedScope(outcome.scopes)),
            "expires_in": .int(lifetime),
            "ext_expires_in": .int(lifetime),
            "refresh_in": .int(lifetime / 2),
            "access_token": .string(try await platform.issuer.accessToken(context, scopes: outcome.scopes)),
        ]
        if outcome.scopes.wantsRefreshToken {
            if platform.directory.application(entitlement.clientID)?.isInFamily == true { body["foci"] = "1" }
            let token = try await issueRefreshToken(entitlement, expiresAt: outcome.refreshTokenExpiry, exchange)
            body["refresh_token"] = .string(token.revealed)
        }
        if outcome.scopes.wantsIDToken {
            body["id_token"] = .string(try await platform.issuer.idToken(context, scopes: outcome.scopes))
        }
        // Web flows send `1`, native ones `true`.
        if ["1", "true"].contains(exchange.form["client_info"]?.lowercased()) {
            body["client_info"] = .string(try platform.issuer.clientInfo(for: user, policy: entitlement.policy))
        }
        return try .json(.object(body))
    }

    /// The tenant of the tokens: the one of the request if it names one, else the one signed in to.
    private func tenant(for user: User, _ entitlement: Entitlement, _ selector: TenantSelector) -> Tenant? {
        switch selector {
        case .tenant: platform.issuingTenant(for: user, in: selector)
        case .common, .organizations, .consumers:
            platform.directory.tenant(id: entitlement.tenantID).flatMap { selector.admits($0) ? $0 : nil }
        }
    }

    /// Graph's permissions are listed with the OpenID Connect scopes, those of other APIs alone (decision E3).
    private func grantedScope(_ scopes: RequestedScopes) -> String {
        guard let resource = platform.directory.resource(audience: scopes.audience) else { return "" }
        let openID = resource.isGraph ? scopes.openID.filter { $0 != "offline_access" } : []
        // An app compares what it asked for with what it got, so Graph's names come back as they were written.
        let prefix = resource.isGraph ? scopes.writtenPrefix : nil
        let permissions = scopes.permissions.map { name in
            prefix.map { $0 + name } ?? resource.qualified(name)
        }
        return (permissions + openID).joined(separator: " ")
    }

    private func issueRefreshToken(
        _ entitlement: Entitlement,
        expiresAt expiry: Date?,
        _ exchange: Exchange
    ) async throws -> Secret {
        let secret = Secret("1.\(Secret.random(bytes: 64).revealed)")
        let lifetime = entitlement.isSinglePage ? .seconds(86_400) : platform.configuration.refreshTokenLifetime
        let token = RefreshToken(
            entitlement: entitlement,
            expiresAt: expiry ?? exchange.now.addingTimeInterval(lifetime.seconds)
        )
        try await platform.store.save(token, as: secret)
        return secret
    }
}
