// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation
import MSALBase

/// Decides whether the tokens of a response may be used, and whose they are (docs/reference/Protocol.md#acceptance and
/// #id-token).
package struct TokenAcceptance: Sendable {
    /// The requirements that a library has for a response.
    package struct Policy: Sendable {
        package var idToken: IDTokenCheck.Extent
        package var tokenType = "Bearer"
        /// Whether the response must name the type of its token, as for a token that is bound to a key.
        package var wantsTokenType = false
        package var verifiesSignature = true
        /// Whether all parts of a response must name one user: at a renewal the known one, at a sign-in the same one in
        /// the ID token and in `client_info`. MSAL for iOS does not compare them, and accepts the tokens of another
        /// account.
        package var wantsOneUser = false

        package init(idToken: IDTokenCheck.Extent) { self.idToken = idToken }
    }

    /// The known facts of the user whose tokens are renewed.
    package struct KnownUser: Sendable {
        package let owner: TokenOwner
        /// The user's IDs by tenant, both in lower case. A tenant's value is `nil` if the id is not known.
        package let objectIDs: [String: Set<String>]

        package init(_ owner: TokenOwner, objectIDs: [String: Set<String>]) {
            self.owner = owner
            self.objectIDs = objectIDs
        }
    }

    /// The tokens of a response that passed the checks.
    package struct Accepted: Sendable {
        package let owner: TokenOwner
        package let claims: IDTokenClaims?
        /// Whether the signature of the ID token was verified.
        package let isVerified: Bool
    }

    /// A reason to use nothing of the response.
    package enum Failure: Error, Sendable {
        /// The response lacks what the library needs.
        case incomplete(String)
        /// A check failed.
        case refused(String)
        /// The calling task was canceled.
        case canceled
    }

    private let policy: Policy
    private let clientID: String
    private let authority: Authority
    private let resolved: ResolvedAuthority?
    private let authorities: AuthorityResolver
    private let correlationID: UUID

    /// The checks for one request. `authority` is the one that was asked; `resolved` has its metadata, or is `nil` if they
    /// were not fetched.
    package init(
        _ policy: Policy,
        clientID: String,
        authority: Authority,
        resolved: ResolvedAuthority?,
        authorities: AuthorityResolver,
        correlationID: UUID
    ) {
        self.policy = policy
        self.clientID = clientID
        self.authority = authority
        self.resolved = resolved
        self.authorities = authorities
        self.correlationID = correlationID
    }

    /// Checks a response before anything of it is stored.
    ///
    /// - Parameters:
    ///   - response: The response of the token endpoint.
    ///   - known: The user whose tokens are renewed, or `nil` at a sign-in.
    ///   - subject: Returns the `sub` of an earlier ID token, for the account that the response names and a tenant.
    /// - Returns: The owner of the tokens, and what the ID token says.
    /// - Throws: The check that failed. Use nothing of the response.
    package func accept(
        _ response: TokenResponse,
        of known: KnownUser? = nil,
        earlierSubject subject: (_ owner: TokenOwner?, _ tenantID: String) -> String? = { _, _ in nil }
    ) async throws(Failure) -> Accepted {
        try checkForm(of: response)
        let named = try namedOwner(in: response)
        // OpenID Connect Core §12.2: a refresh returns tokens of the same user.
        let wantsOneUser = policy.wantsOneUser || authority.kind == .oidc
        if let named, let known, wantsOneUser, named.homeAccountID != known.owner.homeAccountID {
            throw .refused("The service sent tokens of another user.")
        }
        guard named != nil || known != nil || response.idToken != nil else { throw .unknownOwner }
        let claims = try claims(in: response)
        let isVerified = try await check(claims, in: response) { (claims) throws(Failure) in
            try compare(claims, with: known, named: named)
            guard case .refresh = policy.idToken, let tenantID = claims.tenantID else { return }
            if let earlier = subject(named, tenantID), let found = claims.subject, earlier != found {
                throw .refused(claim: "sub", expected: "the user of the earlier ID token", found: "another")
            }
        }
        let verified = isVerified ? claims.flatMap(TokenOwner.init(verified:)) : nil
        guard let owner = named ?? known?.owner ?? verified else { throw .unknownOwner }
        return Accepted(owner: owner, claims: claims, isVerified: isVerified)
    }

    private func checkForm(of response: TokenResponse) throws(Failure) {
        guard response.accessToken != nil || response.idToken != nil else {
            throw .incomplete("The service's response has neither an access token nor an ID token.")
        }
        let type = response.tokenType ?? (policy.wantsTokenType ? "none" : policy.tokenType)
        guard type.caseInsensitiveCompare(policy.tokenType) == .orderedSame else {
            throw .refused("A token of type \(policy.tokenType) was asked for, and the response has type \(type).")
        }
        let scopes = response.scope.map { ScopeSet(parsing: $0).values } ?? []
        // Each scope of a token is a row in the store. A service must not make a sign-in take seconds.
        guard scopes.count <= ScopeSet.most else {
            throw .refused("The service sent a token for \(scopes.count) scopes, and \(ScopeSet.most) is the limit.")
        }
        // They become parts of keys in the store, which have no control characters.
        guard response.familyID?.hasControlCharacters != true, !scopes.contains(where: \.hasControlCharacters) else {
            throw .refused("The service sent control characters in foci or scope.")
        }
    }

    /// The owner that the service names in `client_info`, or an OpenID Connect issuer in its ID token; `nil` if the response
    /// names none.
    private func namedOwner(in response: TokenResponse) throws(Failure) -> TokenOwner? {
        if let issuerID = authority.issuerID {
            return try claims(in: response)?.subject.map { TokenOwner(subject: $0, issuerID: issuerID) }
        }
        guard let raw = response.clientInfo else { return nil }
        guard let clientInfo = ClientInfo(raw: raw) else {
            throw .incomplete("The client_info in the service's response cannot be read.")
        }
        return TokenOwner(clientInfo)
    }

    private func claims(in response: TokenResponse) throws(Failure) -> IDTokenClaims? {
        guard let token = response.idToken else {
            guard case .full = policy.idToken else { return nil }
            throw .refused(claim: "id_token", expected: "an ID token", found: "none in the response")
        }
        guard let claims = IDTokenClaims(compact: token.exposed) else {
            throw .refused("The ID token in the service's response cannot be read.")
        }
        return claims
    }

    /// Checks the ID token, and the user by `compare`, before the keys are fetched.
    private func check(
        _ claims: IDTokenClaims?,
        in response: TokenResponse,
        compare: (IDTokenClaims) throws(Failure) -> Void
    ) async throws(Failure) -> Bool {
        guard let token = response.idToken, let claims else { return false }
        let check = IDTokenCheck(
            extent: policy.idToken,
            clientID: clientID,
            authority: authority,
            resolved: resolved,
            response: response
        )
        do throws(IDTokenCheck.Failure) {
            try check.check(token, claims: claims)
        } catch {
            throw Failure(error)
        }
        try compare(claims)
        guard policy.verifiesSignature else { return false }
        do throws(IDTokenCheck.Failure) {
            return try await check.verifySignature(of: token, with: authorities, correlationID: correlationID)
        } catch {
            throw Failure(error)
        }
    }

    /// Compares the user of the ID token with the one that the response names, and with the one whose tokens are renewed.
    private func compare(_ claims: IDTokenClaims, with known: KnownUser?, named: TokenOwner?) throws(Failure) {
        if let known, named == nil || policy.wantsOneUser {
            let tenantID = (claims.tenantID ?? authority.realm)?.lowercased()
            let ids = tenantID.flatMap { known.objectIDs[$0] }
            // Nothing is known yet about a tenant that is requested for the first time.
            let isAsked = tenantID == authority.realm?.lowercased()
            guard named != nil || ids != nil || known.objectIDs.isEmpty || isAsked else {
                throw .refused(claim: "tid", expected: "a tenant of the account", found: "another")
            }
            if let found = claims.objectID?.trimmed.lowercased(), let ids, !ids.isEmpty, !ids.contains(found) {
                throw .refused(claim: "oid", expected: "the user of the account", found: "another")
            }
        }
        // In the user's home tenant both parts of the response name the same user. Personal accounts have ids of another
        // form there.
        if case .full = policy.idToken, policy.wantsOneUser, authority.kind == .aad,
            let clientInfo = named?.clientInfo, let info = ClientInfo(raw: clientInfo), let objectID = claims.objectID,
            claims.tenantID?.caseInsensitiveCompare(info.utid) == .orderedSame,
            info.utid.lowercased() != Authority.personalTenantID,
            objectID.caseInsensitiveCompare(info.uid) != .orderedSame
        {
            throw .refused("The ID token and client_info name two users.")
        }
    }
}

/// The user that a response's tokens belong to.
package struct TokenOwner: Sendable {
    /// The key of the account in the token store, `<uid>.<utid>` in lower case.
    package let homeAccountID: String
    /// The home tenant. It is `nil` for an account of another library whose identifier does not name it.
    package let homeTenantID: String?
    /// The response's `client_info` as received, or `nil` if it had none.
    package let clientInfo: String?

    /// The account whose refresh token was redeemed.
    package init(homeAccountID: String, homeTenantID: String?) {
        self.homeAccountID = homeAccountID
        self.homeTenantID = homeTenantID
        clientInfo = nil
    }

    /// The owner that the service names.
    init(_ clientInfo: ClientInfo) {
        homeAccountID = clientInfo.homeAccountID
        homeTenantID = clientInfo.utid
        self.clientInfo = clientInfo.raw
    }

    /// The user of an OpenID Connect issuer. A subject is case-sensitive and may contain any character, and the identifiers
    /// of accounts are not and may not, so that its digest takes its place.
    init(subject: String, issuerID: String) {
        let uid = Hexadecimal.text(SHA256.hash(data: Data(subject.utf8)))
        self.init(homeAccountID: "\(uid).\(issuerID)", homeTenantID: issuerID)
    }

    /// The user of an ID token whose signature was verified; `nil` if it does not say who that is.
    ///
    /// A guest counts as a separate account of the tenant that issued the token.
    init?(verified claims: IDTokenClaims) {
        guard let objectID = claims.objectID, let tenantID = claims.tenantID,
            !objectID.hasControlCharacters, !tenantID.hasControlCharacters
        else { return nil }
        self.init(homeAccountID: "\(objectID).\(tenantID)".lowercased(), homeTenantID: tenantID)
    }
}

extension TokenAcceptance.Failure {
    fileprivate static let unknownOwner = Self.incomplete(
        "The service's response does not identify the owner of the tokens (client_info)."
    )

    fileprivate static func refused(claim: String, expected: String, found: String) -> Self {
        .refused("The ID token failed the check of \(claim): expected \(expected), found \(found).")
    }

    fileprivate init(_ failure: IDTokenCheck.Failure) {
        switch failure {
        case .canceled: self = .canceled
        case .refused(let claim, let expected, let found):
            self = .refused(claim: claim, expected: expected, found: found)
        }
    }
}
