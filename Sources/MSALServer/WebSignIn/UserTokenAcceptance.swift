// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALSupport

/// The checks of a response with a user's tokens, before anything of it is kept
/// (docs/reference/Services.md#web-sign-in, docs/reference/Protocol.md#id-token).
struct UserTokenAcceptance: Sendable {
    let members: [String: JSONValue]
    /// The scopes that were asked for.
    let scopes: ScopeSet
    /// The authority that was asked.
    let authority: Authority
    /// The authority with its metadata; `nil` if they are not at hand.
    let resolved: ResolvedAuthority?
    let clientID: String
    let correlationID: UUID
    let environment: ServerEnvironment

    typealias Accepted = (token: AppToken, refreshToken: Secret?, user: TokenUser)

    /// Accepts the response to a code. Its id token is checked in full.
    ///
    /// - Throws: `.invalidResponse` naming the check, or if the response does not say whose tokens these are.
    func signIn(nonce: Secret) async throws(MSALTokenError) -> Accepted {
        let response = try TokenResponse(
            accepting: members,
            receivedAt: environment.time.now,
            correlationID: correlationID
        )
        try checkNumberOfScopes(response)
        guard let token = response.idToken, let claims = IDTokenClaims(compact: token.exposed) else {
            throw fault("The response has no id token that can be read.")
        }
        let isVerified = try await verified(token, claims: claims, extent: .full(nonce: nonce.exposed), in: response)
        let owner: String
        if let raw = response.clientInfo {
            guard let info = ClientInfo(raw: raw) else {
                throw fault("The response does not say readably whose tokens these are (client_info).")
            }
            try checkHome(info, claims: claims)
            owner = info.homeAccountID
        } else if isVerified, let objectID = claims.objectID, let tenantID = claims.tenantID,
            !objectID.hasControlCharacters, !tenantID.hasControlCharacters
        {
            // A guest is then a separate account of the tenant that issued the token.
            owner = "\(objectID).\(tenantID)".lowercased()
        } else {
            throw fault("The response does not say whose tokens these are (client_info).")
        }
        return try accepted(response, for: TokenUser(homeAccountID: owner, claims: claims.publicValues), claims: claims)
    }

    /// Accepts the response to a refresh. It must be about the user whose token was spent.
    ///
    /// - Throws: `.invalidResponse` naming the check.
    func refresh(of user: TokenUser) async throws(MSALTokenError) -> Accepted {
        let response = try TokenResponse(
            accepting: members,
            receivedAt: environment.time.now,
            correlationID: correlationID
        )
        try checkNumberOfScopes(response)
        if let raw = response.clientInfo, ClientInfo(raw: raw)?.homeAccountID != user.homeAccountID {
            throw fault("The service sent tokens of another user.")
        }
        var claims: IDTokenClaims?
        var renewed = user
        if let token = response.idToken {
            guard let read = IDTokenClaims(compact: token.exposed) else {
                throw fault("The id token of the response cannot be read.")
            }
            let isVerified = try await verified(token, claims: read, extent: .refresh, in: response)
            try checkUser(read, is: user)
            // A token that nobody verified renews the permissions alone. What is known of the user stays.
            if isVerified, read.tenantID == user.text("tid") {
                renewed = TokenUser(homeAccountID: user.homeAccountID, claims: read.publicValues)
            }
            claims = read
        }
        return try accepted(response, for: renewed, claims: claims)
    }

    private func accepted(
        _ response: TokenResponse,
        for user: TokenUser,
        claims: IDTokenClaims?
    ) throws(MSALTokenError) -> Accepted {
        let token = try AppToken(
            members: members,
            scopes: scopes.values,
            tenant: claims?.tenantID ?? authority.realm,
            user: user,
            correlationID: correlationID,
            environment: environment
        )
        return (token, response.refreshToken, user)
    }

    private func verified(
        _ token: Secret,
        claims: IDTokenClaims,
        extent: IDTokenCheck.Extent,
        in response: TokenResponse
    ) async throws(MSALTokenError) -> Bool {
        let check = IDTokenCheck(
            extent,
            clientID: clientID,
            authority: authority,
            resolved: resolved,
            response: response
        )
        do throws(IDTokenCheck.Failure) {
            try check.check(token, claims: claims)
            return try await check.verifySignature(
                of: token,
                with: environment.authorities,
                correlationID: correlationID
            )
        } catch {
            switch error {
            case .canceled:
                throw .cancellation
            case .refused(let claim, let expected, let found):
                throw fault("The id token failed the check of \(claim): expected \(expected), found \(found).")
            }
        }
    }

    /// In the user's home tenant both parts of the response name the same user.
    private func checkHome(_ info: ClientInfo, claims: IDTokenClaims) throws(MSALTokenError) {
        guard authority.kind == .aad, let objectID = claims.objectID, let tenantID = claims.tenantID,
            tenantID.caseInsensitiveCompare(info.utid) == .orderedSame,
            // Personal accounts have ids of another form there.
            tenantID.lowercased() != Authority.personalTenantID
        else { return }
        guard objectID.caseInsensitiveCompare(info.uid) == .orderedSame else {
            throw fault("The id token and client_info name two users.")
        }
    }

    private func checkUser(_ claims: IDTokenClaims, is user: TokenUser) throws(MSALTokenError) {
        guard let tenantID = claims.tenantID, tenantID == user.text("tid") else { return }
        for name in ["sub", "oid"] {
            if let known = user.text(name), let found = claims[name]?.string, found != known {
                throw fault("The id token failed the check of \(name): the service sent tokens of another user.")
            }
        }
    }

    private func checkNumberOfScopes(_ response: TokenResponse) throws(MSALTokenError) {
        let count = response.scope.map { ScopeSet(parsing: $0).values.count } ?? 0
        guard count <= ScopeSet.most else { throw fault("The response has a token for \(count) scopes.") }
    }

    private func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(.invalidResponse, message: "\(text) Nothing was kept.", correlationID: correlationID)
    }
}

extension IDTokenClaims {
    fileprivate var publicValues: [String: MSALClaimValue] { all.mapValues(MSALClaimValue.init) }
}
