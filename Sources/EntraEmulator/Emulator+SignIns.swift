// Licensed under the MIT License. See LICENSE.

extension Emulator {
    /// The decisions of the policies since the start or the last reset, oldest first. At most the latest 1,000 are
    /// kept.
    public var signIns: [SignInDecision] { parts.signIns.elements }

    /// Makes the APIs request claims from the app of a user, until a token contains them. An app with the client
    /// capability `cp1` gets a claims challenge.
    ///
    /// `claims`: JSON with `acrs` or `nbf` of `access_token`; `nil` removes the challenge.
    /// - Returns: `false` if the user does not exist, or for other claims.
    @discardableResult
    public func challenge(_ userPrincipalName: String, claims: String?) async throws -> Bool {
        guard let user = try await parts.store.user(named: userPrincipalName) else { return false }
        let challenge = claims.flatMap { ClaimsChallenges.Challenge($0) }
        guard challenge != nil || claims == nil else { return false }
        parts.claimsChallenges.set(challenge, for: user.id)
        return true
    }

    /// Signs a user in at the next authorization requests without showing a page, including consent and second factor.
    ///
    /// `clientID`: The application that sends the requests; `nil` means any.
    /// - Returns: `false` if the user does not exist.
    @discardableResult
    public func signInNext(_ userPrincipalName: String, clientID: String? = nil, count: Int = 1) async throws -> Bool {
        guard count > 0, let user = try await parts.store.user(named: userPrincipalName) else { return false }
        parts.planned.add(userID: user.id, clientID: clientID, count: count)
        return true
    }

    /// Sets claims in tokens, until the setting ends or the emulator is reset.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for an unknown API or application, or a restricted claim without
    ///   `isForced`; correct the setting.
    public func setClaims(_ setting: EmulatorDirectory.TokenClaims) async throws {
        try parts.editor.change { $0.tokenClaims.append(setting) }
    }
}
