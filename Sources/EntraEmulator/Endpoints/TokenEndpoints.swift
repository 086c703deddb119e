// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `POST /{tenant}/oauth2/v2.0/token`: selects the grant, and responds with the tokens that it allows.
struct TokenEndpoints: Sendable {
    let directory: ServedDirectory
    let clients: ClientAuthenticator
    let authorizationCode: AuthorizationCodeRedemption
    let refreshToken: RefreshTokenRedemption
    let deviceCode: DeviceCodeRedemption
    let clientCredentials: ClientCredentialsGrant
    let onBehalfOf: OnBehalfOfGrant
    let primaryRefreshToken: PrimaryRefreshTokenGrant
    let password: PasswordGrant
    let agentUser: AgentUserGrant
    let native: NativeGrant
    let tokens: TokenResponses

    /// Responds to a token request.
    ///
    /// - Throws: `EntraError`, which is rendered as JSON.
    func respond(to exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        let selector = try directory.selector(for: segment)
        let form = exchange.form
        if let grantType = NativeGrant.GrantType(exchange), case .tenant(let tenant) = selector, tenant.allowsSignUp {
            return try await respond(to: exchange, grantType: grantType, tenant: tenant)
        }
        if let name = form.duplicatedName { throw EntraError.duplicatedParameter(name) }
        guard let grantType = form["grant_type"] else { throw EntraError.missingParameter("grant_type") }
        let client = try await clients.authenticate(exchange, in: selector)
        let admitted = try client.registration.admitted(selector, called: segment.tenant)
        let confirmation = try Confirmation(form, certificate: client.certificate)
        if case .certificate = confirmation, grantType != "client_credentials" {
            throw EntraError.unsupportedValue("token_type")
        }

        let outcome: GrantOutcome
        switch grantType {
        case "authorization_code":
            outcome = try await authorizationCode.redeem(exchange, client: client, in: admitted)
        case "refresh_token": outcome = try await refreshToken.redeem(exchange, client: client)
        case "client_credentials":
            return try await clientCredentials.respond(
                to: exchange,
                client: client,
                in: admitted,
                boundTo: confirmation
            )
        case OnBehalfOfGrant.grantType where form["request"] != nil:
            outcome = try await primaryRefreshToken.redeem(exchange, client: client, in: admitted)
        case OnBehalfOfGrant.grantType: outcome = try await onBehalfOf.redeem(exchange, client: client)
        case AgentUserGrant.grantType: outcome = try await agentUser.redeem(exchange, client: client, in: selector)
        // With a continuation token, it is the native grant, which only External ID tenants have.
        case "password" where form["continuation_token"] == nil:
            outcome = try await password.redeem(exchange, client: client, in: admitted)
        case _ where DeviceCodeRedemption.grantTypes.contains(grantType):
            outcome = try deviceCode.redeem(exchange, client: client)
        default: throw EntraError.unsupportedGrant(grantType)
        }
        try exchange.checkResource(fits: outcome.scopes, in: directory)
        return try await tokens.response(to: exchange, granting: outcome, in: admitted, boundTo: confirmation)
    }

    /// The scripts that may read a response. A preflight names no client; a response, even an error, is only for the
    /// origins of the client's single-page redirect URIs, and only if the grant is one of browsers.
    ///
    /// Source: Microsoft identity platform, "OAuth 2.0 authorization code flow", "Redirect URIs for single-page apps".
    func readers(of exchange: Exchange) -> CrossOriginReaders {
        var readers = CrossOriginReaders(preflight: "*")
        guard let origin = exchange.headers[.origin], let address = RedirectAddress(origin), address.rest.isEmpty,
            ["authorization_code", "refresh_token"].contains(exchange.form["grant_type"]),
            let client = exchange.presentedClientID.flatMap(directory.application),
            client.redirectURIs.allSinglePage.contains(where: { $0.isOfOrigin(address) })
        else { return readers }
        readers.origin = origin
        return readers
    }

    private func respond(
        to exchange: Exchange,
        grantType: NativeGrant.GrantType,
        tenant: Tenant
    ) async throws -> Response {
        let request = try NativeRequest(exchange, tenant: tenant, directory: directory)
        switch try await native.redeem(grantType, for: request) {
        case .tokens(let outcome):
            return try await tokens.response(to: exchange, granting: outcome, in: .tenant(tenant))
        case .redirect(let reason): return try .nativeRedirect(reason)
        }
    }
}
