// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// `grant_type=authorization_code`, RFC 6749 §4.1.3 with RFC 7636.
struct AuthorizationCodeRedemption: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies

    /// Redeems a code: single use, bound to client, redirect URI, tenant, and verifier. A code of native authentication
    /// has neither redirect URI nor verifier.
    ///
    /// The first request consumes a code, whatever the result, so that verifiers cannot be tried one after another.
    func redeem(
        _ exchange: Exchange,
        client: AuthenticatedClient,
        in selector: TenantSelector
    ) async throws -> GrantOutcome {
        let form = exchange.form
        guard let secret = form["code"] else { throw EntraError.missingParameter("code") }
        let redirectURI = form["redirect_uri"]

        switch try await store.redeem(Secret(secret), clientID: client.clientID) {
        case .unknown where redirectURI == nil: throw EntraError.missingParameter("redirect_uri")
        case .unknown: throw EntraError.unknownCodeOrToken
        case .alreadyRedeemed: throw EntraError.codeSpent
        case .first(let code):
            guard code.expiresAt > exchange.now else { throw EntraError.codeExpired }
            try exchange.checkOrigin(isSinglePage: code.entitlement.isSinglePage)
            if redirectURI == nil, code.redirectURI != nil { throw EntraError.missingParameter("redirect_uri") }
            guard code.redirectURI == redirectURI else { throw EntraError.redirectURIMismatch }
            try client.requireAuthentication(code.isConfidential ?? false)
            try Self.check(form["code_verifier"], against: code.codeChallenge)
            // A guest has a different account in each tenant; a sign-in in one is not a sign-in in the other.
            if case .tenant(let tenant) = selector, tenant.id != code.entitlement.tenantID {
                throw EntraError.codeOfOtherTenant
            }
            var outcome = try await outcome(of: code, client: client, exchange: exchange)
            outcome.isSignIn = code.entitlement.isNative == true
            return outcome
        }
    }

    /// RFC 9700 §2.1.1: a verifier without a challenge is rejected, so that an attacker cannot strip the challenge.
    private static func check(_ verifier: String?, against challenge: String?) throws(EntraError) {
        switch (verifier, challenge) {
        case (nil, nil): return
        case (nil, .some): throw .missingParameter("code_verifier")
        case (.some, nil): throw .verifierMismatch
        case (.some(let verifier), .some(let challenge)):
            guard isVerifier(verifier), Secret(Self.challenge(verifier)) == Secret(challenge) else {
                throw .verifierMismatch
            }
        }
    }

    /// RFC 7636 §4.1: 43 to 128 unreserved characters.
    static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.percentEncoded() == text
    }

    /// RFC 7636 §4.2: S256 = BASE64URL(SHA256(ASCII(verifier)))
    static func challenge(_ verifier: String) -> String {
        Data(SHA256.hash(data: Data(verifier.utf8))).base64URL
    }

    private func outcome(
        of code: AuthorizationCode,
        client: AuthenticatedClient,
        exchange: Exchange
    ) async throws -> GrantOutcome {
        var entitlement = code.entitlement
        entitlement.clientAuthentication = client.authentication
        if let claims = exchange.form["claims"] {
            entitlement.capabilities = try RequestedClaims.capabilities(in: claims)
        }
        let resource = exchange.isVersion1 ? exchange.form["resource"] : nil
        guard exchange.form["scope"] != nil || resource != nil else {
            return .init(entitlement: entitlement, scopes: entitlement.scopes)
        }
        var scopes = try exchange.scopesOfSingleAPI(of: client.registration, in: directory)
        let namesAPI = !entitlement.scopes.permissions.isEmpty
        if resource != nil, namesAPI, scopes.audience != entitlement.scopes.audience {
            throw EntraError.changedResource
        }
        let isOther = entitlement.scopes.others?.contains { $0.audience == scopes.audience } == true
        if code.mayAskForOtherScopes == true || isOther || (resource != nil && !namesAPI) {
            entitlement.scopes = try await consented(scopes, to: client, entitlement: entitlement, exchange: exchange)
            return .init(entitlement: entitlement, scopes: entitlement.scopes)
        }
        scopes.narrow(to: Set(entitlement.scopes.permissions))
        // Scopes that the authorization request did not contain cannot be requested here.
        guard scopes.audience == entitlement.scopes.audience || scopes.permissions.isEmpty,
            Set(scopes.permissions).isSubset(of: entitlement.scopes.permissions)
        else { throw EntraError.consentRequired(entitlement.clientID, inTokenRequest: true) }
        let granted = RequestedScopes(
            openID: scopes.openID.filter(entitlement.scopes.openID.contains),
            audience: entitlement.scopes.audience,
            permissions: entitlement.scopes.permissions,
            writtenPrefix: scopes.writtenPrefix
        )
        return .init(entitlement: entitlement, scopes: granted)
    }

    /// The scopes of the token request, if they were consented to and do not require a missing second factor.
    private func consented(
        _ scopes: RequestedScopes,
        to client: AuthenticatedClient,
        entitlement: Entitlement,
        exchange: Exchange
    ) async throws -> RequestedScopes {
        guard let user = try await store.user(id: entitlement.userID),
            let tenant = directory.tenant(id: entitlement.tenantID)
        else { throw EntraError.unknownUser }
        let request = AccessRequest(
            exchange,
            of: user,
            in: tenant,
            client: client.registration,
            audience: scopes.audience,
            contexts: []
        )
        _ = try policies.contexts(of: request, proof: AccessProof(entitlement)) { $0.refusal(of: entitlement) }
        return try await consents.checked(scopes, by: user, to: client.registration, in: tenant)
    }
}
