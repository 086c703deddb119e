// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

extension MSALConfidentialClientApplication {
    /// Checks the response with a user's tokens before any of it is cached
    /// (docs/reference/Services.md#web-sign-in, docs/reference/Protocol.md#acceptance).
    ///
    /// `extent` selects the checks of the ID token: all for a code, fewer for a refresh. `known` is the user whose
    /// refresh token was redeemed; the tokens must belong to this user. `authority` is the one that received the
    /// request. `resolved` has its metadata, or is `nil` if this process has not read them yet.
    ///
    /// - Returns: The token, and the user as the ID token names them.
    /// - Throws: `.invalidResponse` naming the check, or if the response does not say whose tokens these are.
    func accept(
        _ response: TokenResponse,
        checking extent: IDTokenCheck.Extent,
        of known: TokenUser? = nil,
        scopes: ScopeSet,
        authority: Authority,
        resolved: ResolvedAuthority?,
        correlationID: UUID
    ) async throws(MSALTokenError) -> (token: CachedAccessToken, user: TokenUser) {
        var policy = TokenAcceptance.Policy(idToken: extent)
        policy.wantsOneUser = true
        let acceptance = TokenAcceptance(
            policy,
            clientID: configuration.clientId,
            authority: authority,
            resolved: resolved,
            authorities: environment.authorities,
            correlationID: correlationID
        )
        let accepted: TokenAcceptance.Accepted
        do throws(TokenAcceptance.Failure) {
            accepted = try await acceptance.accept(response, of: known.map(TokenAcceptance.KnownUser.init)) {
                _,
                tenantID in
                tenantID == known?.text("tid") ? known?.text("sub") : nil
            }
        } catch {
            throw MSALTokenError(error, correlationID: correlationID)
        }
        var user = known ?? TokenUser(homeAccountID: accepted.owner.homeAccountID, claims: [:])
        // If the signature of the ID token was not verified, the known claims of the user stay.
        if let claims = accepted.claims, known == nil || accepted.isVerified && claims.tenantID == known?.text("tid") {
            user = TokenUser(homeAccountID: user.homeAccountID, claims: claims.all.mapValues(MSALClaimValue.init))
        }
        let token = try CachedAccessToken(
            response,
            scopes: scopes.values,
            tenant: accepted.claims?.tenantID ?? authority.realm,
            user: user,
            correlationID: correlationID,
            jitter: environment.jitter
        )
        return (token, user)
    }
}

extension TokenAcceptance.KnownUser {
    fileprivate init(_ user: TokenUser) {
        let tenantID = user.text("tid")
        let objectID = user.text("oid")?.lowercased()
        self.init(
            TokenOwner(homeAccountID: user.homeAccountID, homeTenantID: nil),
            objectIDs: tenantID.map { [$0.lowercased(): Set(objectID.map { [$0] } ?? [])] } ?? [:]
        )
    }
}
