// Licensed under the MIT License. See LICENSE.

extension Emulator {
    /// What the policies decided since the start, or since the last reset, oldest first. Of more than 1,000 decisions the
    /// newest are kept.
    public var signIns: [SignInDecision] { parts.signIns.elements }

    /// Lets the APIs ask the app of a user for claims, until a token has them. An app with the client capability `cp1`
    /// gets a claims challenge.
    ///
    /// `claims`: JSON with `acrs` or `nbf` of `access_token`; `nil` ends it.
    /// - Returns: `false` where nobody has that name, and for other claims.
    @discardableResult
    public func challenge(_ userPrincipalName: String, claims: String?) async throws -> Bool {
        guard let user = try await parts.store.user(named: userPrincipalName) else { return false }
        let challenge = claims.flatMap { ClaimsChallenges.Challenge($0) }
        guard challenge != nil || claims == nil else { return false }
        parts.claimsChallenges.set(challenge, for: user.id)
        return true
    }

    /// Signs a user in at the next authorization requests without a page. Consent and second factor are included.
    ///
    /// `clientID`: The application whose requests these are; `nil` means any.
    /// - Returns: `false` where nobody has that name.
    @discardableResult
    public func signInNext(_ userPrincipalName: String, clientID: String? = nil, count: Int = 1) async throws -> Bool {
        guard count > 0, let user = try await parts.store.user(named: userPrincipalName) else { return false }
        parts.planned.add(userID: user.id, clientID: clientID, count: count)
        return true
    }
}
