// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The checks of an ID token before anything of its response is stored (OpenID Connect Core §3.1.3.7,
/// docs/reference/Protocol.md#id-token).
package struct IDTokenCheck: Sendable {
    /// The extent of the checks of an ID token.
    package enum Extent: Sendable {
        /// All checks, for a redeemed code. They include the nonce if one was sent.
        case full(nonce: String?)
        /// The checks for a refresh, or for a sign-in without a browser. Claims are checked only if the
        /// token has them, and no request is sent for the keys.
        case refresh
    }

    /// A reason to refuse an ID token.
    package enum Failure: Error, Sendable {
        /// A claim, the signature or the algorithm differs from the expected one. Nothing of the response may be used.
        case refused(claim: String, expected: String, found: String)
        /// The calling task was canceled while the keys were fetched.
        case canceled
    }

    private static let algorithms = "RS256, PS256 or ES256"
    /// The accepted difference between this machine's clock and the service's (docs/reference/Protocol.md#id-token).
    private static let leeway: TimeInterval = 300

    let extent: Extent
    /// The app that the token must be for.
    let clientID: String
    /// The authority that issued the token.
    let authority: Authority
    /// The authority with its metadata, or `nil` if they were not fetched.
    let resolved: ResolvedAuthority?
    /// The response that brought the token. Its times are compared with those of the token.
    let response: TokenResponse

    /// Checks the token's own claims. It does not check the signature or the user.
    package func check(_ token: Secret, claims: IDTokenClaims) throws(Failure) {
        // An unsigned token is refused even if no signature is verified, because no provider sends one.
        if JSONWebSignature.isUnsigned(compact: token.exposed) {
            throw .refused(claim: "alg", expected: Self.algorithms, found: "an unsigned token")
        }
        // The tenant becomes part of keys in the store.
        if authority.kind != .oidc, claims.has("tid"), claims["tid"]?.string?.hasControlCharacters ?? true {
            throw .refused(claim: "tid", expected: "a tenant's ID", found: "something else")
        }
        try checkAudience(claims)
        try checkIssuer(claims)
        switch extent {
        case .full(let nonce):
            try checkPresence(claims)
            try checkExpiry(claims)
            try checkBeginning(claims)
            if let nonce, claims.nonce.map({ constantTimeEqual($0, to: nonce) }) != true {
                throw .refused(claim: "nonce", expected: "the value this sign-in sent", found: "another or none")
            }
        case .refresh:
            if claims.has("exp") { try checkExpiry(claims) }
        }
    }

    /// Verifies the signature. The keys are fetched for a redeemed code. Otherwise only those in memory are used.
    ///
    /// - Returns: Whether it was verified. The result is `false` if the keys cannot be fetched.
    package func verifySignature(
        of token: Secret,
        with authorities: AuthorityResolver,
        correlationID: UUID
    ) async throws(Failure) -> Bool {
        guard let resolved else { return false }
        let keys: [JSONWebKey]
        switch extent {
        case .full:
            do {
                keys = try await authorities.keys(
                    of: resolved,
                    forApp: clientID,
                    keyID: JSONWebSignature.keyID(ofCompact: token.exposed),
                    correlationID: correlationID
                )
            } catch {
                if Task.isCancelled { throw .canceled }
                // The token is still accepted, because it came from the token endpoint over verified TLS
                // (docs/reference/Protocol.md#id-token).
                Log.warning("The signing keys could not be fetched. The ID token's signature was not checked.")
                return false
            }
        case .refresh:
            keys = authorities.heldKeys(of: resolved, forApp: clientID)
        }
        switch JSONWebSignature.verify(compact: token.exposed, with: keys) {
        case .valid:
            return true
        case .noKey:
            if case .refresh = extent { return false }
            throw .refused(claim: "signature", expected: "a key of the issuer", found: "a key ID it does not publish")
        case .invalidSignature:
            throw .refused(claim: "signature", expected: "the issuer's", found: "one that does not verify")
        case .unsupportedAlgorithm(let name):
            throw .refused(claim: "alg", expected: Self.algorithms, found: name)
        case .malformed:
            throw .refused(claim: "signature", expected: "a signed token", found: "something else")
        }
    }

    // MARK: - Claims

    private func checkPresence(_ claims: IDTokenClaims) throws(Failure) {
        let missing = [
            claims.issuer == nil ? "iss" : nil, claims.audience.isEmpty ? "aud" : nil,
            claims.subject == nil ? "sub" : nil, claims.expiresOn == nil ? "exp" : nil,
        ].compactMap(\.self)
        if let name = missing.first { throw .refused(claim: name, expected: "the claim", found: "none") }
    }

    private func checkAudience(_ claims: IDTokenClaims) throws(Failure) {
        if claims.has("aud"), !claims.audience.contains(where: isThisClient) {
            throw .refused(claim: "aud", expected: clientID, found: claims.audience.joined(separator: ", "))
        }
        // The claim names the party to which the token was issued (OpenID Connect Core §3.1.3.7, step 5).
        if claims.has("azp"), !(claims["azp"]?.string.map(isThisClient) ?? false) {
            throw .refused(claim: "azp", expected: clientID, found: "another client")
        }
    }

    private func checkIssuer(_ claims: IDTokenClaims) throws(Failure) {
        guard claims.has("iss") else { return }
        guard let issuer = claims.issuer else { throw .refused(claim: "iss", expected: "an issuer", found: "none") }
        guard let resolved else {
            // Without metadata the rules for the issuer of metadata apply.
            guard issuerIsAccepted(issuer, for: authority, aliases: []) else {
                throw .refused(claim: "iss", expected: "an issuer that belongs to \(authority)", found: issuer)
            }
            return
        }
        let metadata = resolved.configuration
        guard metadata.acceptsTokenIssuer(issuer, tid: claims.tenantID, authority: resolved.authority) else {
            throw .refused(claim: "iss", expected: metadata.issuer, found: issuer)
        }
    }

    /// Whether `name` is this app's client ID, in any letter case.
    private func isThisClient(_ name: String) -> Bool {
        name.isExactly(clientID) || UUID(uuidString: name).map { $0 == UUID(uuidString: clientID) } ?? false
    }

    private func checkExpiry(_ claims: IDTokenClaims) throws(Failure) {
        guard let expiresOn = claims.expiresOn else { throw .refused(claim: "exp", expected: "a time", found: "none") }
        if expiresOn <= response.receivedAt.addingTimeInterval(-Self.leeway) {
            throw .refused(claim: "exp", expected: "a time after now", found: text(of: expiresOn))
        }
    }

    private func checkBeginning(_ claims: IDTokenClaims) throws(Failure) {
        if let notBefore = claims.notBefore, notBefore > response.receivedAt.addingTimeInterval(Self.leeway) {
            throw .refused(claim: "nbf", expected: "a time not after now", found: text(of: notBefore))
        }
    }

    /// The date, and the offset of this machine's clock if that explains the failure.
    private func text(of date: Date) -> String {
        let text = date.formatted(.iso8601)
        guard let serverDate = response.serverDate else { return text }
        let difference = response.receivedAt.timeIntervalSince(serverDate)
        guard abs(difference) > Self.leeway else { return text }
        let minutes = Int((abs(difference) / 60).rounded())
        let side = difference > 0 ? "ahead of" : "behind"
        return "\(text); this machine's clock is \(minutes) minutes \(side) the service's. Set the clock"
    }
}
