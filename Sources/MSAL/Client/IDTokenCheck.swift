// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

/// How much of an id token is checked (docs/reference/Protocol.md#id-token).
enum IDTokenCheck: Sendable {
    /// A redeemed code: everything, the nonce included where one was sent.
    case full(nonce: String?)
    /// A refresh, or a sign-in without a browser: what the token has must fit; no request is added.
    case refresh
}

extension TokenClient {
    /// Checks an id token before anything of its answer is stored (OpenID Connect Core §3.1.3.7).
    ///
    /// `homeAccountID`: Whom the answer names in `client_info`; `nil` if nobody.
    ///
    /// - Returns: Whether the signature was verified.
    /// - Throws: `.invalidResponse` naming the check, what was expected and what came; `.canceled` if the calling task
    ///   is cancelled while the keys are fetched.
    func checkIDToken(
        in response: TokenResponse,
        claims: IDTokenClaims?,
        of homeAccountID: String?,
        for redemption: Redemption
    ) async throws(AuthError) -> Bool {
        guard let token = response.idToken, let claims else {
            if case .full = redemption.idTokenCheck {
                throw failed("id_token", expected: "an id token", found: "none in the answer")
            }
            return false
        }
        // What nobody signed is refused even where no signature is verified: no provider of users sends such a token.
        if JSONWebSignature.isUnsigned(compact: token.exposed) {
            throw failed("alg", expected: "RS256, PS256 or ES256", found: "a token that nobody signed")
        }
        // It becomes part of keys in the store.
        if claims.has("tid"), claims["tid"]?.string?.hasControlCharacters ?? true {
            throw failed("tid", expected: "a tenant's id", found: "something else")
        }
        try checkIssuerAndAudience(claims, redemption)
        switch redemption.idTokenCheck {
        case .full(let nonce):
            try checkPresence(claims)
            try checkTimes(claims, response)
            if let nonce, claims.nonce.map({ constantTimeEqual($0, nonce) }) != true {
                throw failed("nonce", expected: "the value this sign-in sent", found: "another or none")
            }
            return try await verifySignature(of: token, redemption, mayFetchKeys: true)
        case .refresh:
            if claims.has("exp") { try checkExpiry(claims, response) }
            let account = redemption.account?.homeAccountID ?? homeAccountID ?? redemption.redeemed?.homeAccountID
            if let account { try checkSubject(claims, of: account, redemption) }
            return try await verifySignature(of: token, redemption, mayFetchKeys: false)
        }
    }

    private func checkPresence(_ claims: IDTokenClaims) throws(AuthError) {
        let missing = [
            claims.issuer == nil ? "iss" : nil, claims.audience.isEmpty ? "aud" : nil,
            claims.subject == nil ? "sub" : nil, claims.expiresOn == nil ? "exp" : nil,
        ].compactMap(\.self)
        if let name = missing.first {
            throw failed(name, expected: "the claim", found: "none")
        }
    }

    private func checkIssuerAndAudience(_ claims: IDTokenClaims, _ redemption: Redemption) throws(AuthError) {
        if claims.has("aud"), !claims.audience.contains(where: isThisClient) {
            throw failed("aud", expected: configuration.clientID, found: claims.audience.joined(separator: ", "))
        }
        // The party that the token was issued to, where several may read it (OpenID Connect Core §3.1.3.7, step 5).
        if claims.has("azp"), !(claims["azp"]?.string.map(isThisClient) ?? false) {
            throw failed("azp", expected: configuration.clientID, found: "another client")
        }
        guard claims.has("iss") else { return }
        guard let issuer = claims.issuer else { throw failed("iss", expected: "an issuer", found: "none") }
        guard let resolved = redemption.resolved else {
            // Without metadata the rules for metadata stand in: the authority's own host, or one of its service.
            guard issuerIsAccepted(issuer, for: redemption.authority, aliases: []) else {
                throw failed("iss", expected: "an issuer that may speak for \(redemption.authority)", found: issuer)
            }
            return
        }
        let metadata = resolved.configuration
        guard metadata.acceptsTokenIssuer(issuer, tid: claims.tenantID, authority: resolved.authority) else {
            throw failed("iss", expected: metadata.issuer, found: issuer)
        }
    }

    /// Whether `name` is this app's client id. Directories write the letters of a GUID in the case they like.
    private func isThisClient(_ name: String) -> Bool {
        name == configuration.clientID
            || UUID(uuidString: name).map { $0 == UUID(uuidString: configuration.clientID) } ?? false
    }

    /// A renewed token is about the user of the one it renews. Tenants name users differently, so that only a token of
    /// the same tenant tells.
    private func checkSubject(
        _ claims: IDTokenClaims,
        of homeAccountID: String,
        _ redemption: Redemption
    ) throws(AuthError) {
        guard let subject = claims.subject, let realm = claims.tenantID else { return }
        let known: IDTokenRecord?
        do {
            known = try cache.idToken(
                homeAccountID: homeAccountID,
                environments: redemption.lookupEnvironments,
                realm: realm
            )
        } catch {
            // The answer may carry the only refresh token that still works; it must not be lost to a busy store.
            Log.warning("The stored id token could not be compared: \(error.message)")
            return
        }
        let earlier = known.flatMap { memory.claims(of: $0.secret)?.subject }
        guard let earlier, earlier != subject else { return }
        throw failed("sub", expected: "the user of the stored id token", found: "another")
    }

    /// Whether a renewed token of an answer that does not say whose it is is about a user whom the store knows.
    ///
    /// `profiles`: What the store knows of the account, one record for each tenant.
    ///
    /// - Throws: `.invalidResponse` naming the check, what was expected and what came.
    func checkUser(
        _ claims: IDTokenClaims,
        _ profiles: [AccountRecord],
        _ redemption: Redemption
    ) throws(AuthError) {
        let realm = (claims.tenantID ?? redemption.authority.realm)?.normalizedKey
        let known = profiles.filter { $0.realm == realm }
        // Of a tenant that was asked for the first time the store knows nothing yet.
        guard !known.isEmpty || profiles.isEmpty || realm == redemption.authority.realm?.normalizedKey else {
            throw failed("tid", expected: "a tenant of the account", found: "another")
        }
        let names = known.compactMap(\.localAccountID?.normalizedKey)
        guard let objectID = claims.objectID, !names.isEmpty, !names.contains(objectID.normalizedKey) else { return }
        throw failed("oid", expected: "the user of the account", found: "another")
    }

    private func checkTimes(_ claims: IDTokenClaims, _ response: TokenResponse) throws(AuthError) {
        try checkExpiry(claims, response)
        if let notBefore = claims.notBefore, notBefore > response.receivedAt.addingTimeInterval(leeway) {
            throw failed("nbf", expected: "a time not after now", found: iso(notBefore) + clockHint(response))
        }
    }

    private func checkExpiry(_ claims: IDTokenClaims, _ response: TokenResponse) throws(AuthError) {
        guard let expiresOn = claims.expiresOn else { throw failed("exp", expected: "a time", found: "none") }
        if expiresOn <= response.receivedAt.addingTimeInterval(-leeway) {
            throw failed("exp", expected: "a time after now", found: iso(expiresOn) + clockHint(response))
        }
    }

    /// Five minutes (docs/reference/Protocol.md#id-token).
    private var leeway: TimeInterval { 300 }

    private func verifySignature(
        of token: Secret,
        _ redemption: Redemption,
        mayFetchKeys: Bool
    ) async throws(AuthError) -> Bool {
        guard configuration.verifiesIDTokenSignature, let resolved = redemption.resolved else { return false }
        let keys: [JSONWebKey]
        if mayFetchKeys {
            do {
                keys = try await authorities.keys(
                    of: resolved,
                    forApp: configuration.clientID,
                    keyID: JSONWebSignature.keyID(ofCompact: token.exposed),
                    correlationID: redemption.request.correlationID
                )
            } catch {
                if Task.isCancelled { throw .canceledCall }
                // The answer came over verified TLS from the token endpoint: the result stands
                // (docs/reference/Protocol.md#id-token).
                Log.warning("The signing keys could not be fetched; the id token's signature was not checked.")
                return false
            }
        } else {
            keys = authorities.heldKeys(of: resolved, forApp: configuration.clientID)
        }
        switch JSONWebSignature.verify(compact: token.exposed, with: keys) {
        case .valid:
            return true
        case .noKey:
            if !mayFetchKeys { return false }
            throw failed("signature", expected: "a key of the issuer", found: "a key id it does not publish")
        case .invalidSignature:
            throw failed("signature", expected: "the issuer's", found: "one that does not verify")
        case .unsupportedAlgorithm(let name):
            throw failed("alg", expected: "RS256, PS256 or ES256", found: name)
        case .malformed:
            throw failed("signature", expected: "a signed token", found: "something else")
        }
    }

    private func failed(_ check: String, expected: String, found: String) -> AuthError {
        AuthError(
            .invalidResponse,
            message:
                "The id token failed the check of \(check): expected \(expected), found \(found). Nothing was stored."
        )
    }

    private func iso(_ date: Date) -> String { date.formatted(.iso8601) }

    /// Says by how much this machine's clock is off, if that explains the failure.
    private func clockHint(_ response: TokenResponse) -> String {
        guard let server = response.serverDate else { return "" }
        let difference = response.receivedAt.timeIntervalSince(server)
        guard abs(difference) > leeway else { return "" }
        let minutes = Int((abs(difference) / 60).rounded())
        let side = difference > 0 ? "ahead of" : "behind"
        return "; this machine's clock is \(minutes) minutes \(side) the service's. Set the clock"
    }
}
