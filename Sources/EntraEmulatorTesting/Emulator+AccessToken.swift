// Licensed under the MIT License. See LICENSE.

public import EntraEmulator

extension Emulator {
    /// An access token of a user, without a sign-in.
    ///
    /// ```swift
    /// let token = try await emulator.accessToken(for: "megan@contoso.example", api: "api://tasks", scopes: ["Tasks.Read"])
    /// let expired = try await emulator.accessToken(for: "megan@contoso.example", api: "api://tasks", flaw: .expired)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The user principal name or the object id.
    ///   - api: The API by its client id or another identifier.
    ///   - scopes: The permissions; `nil` takes all that need no administrator.
    ///   - claims: Claims that are added or replaced, such as `["roles": ["Planner"]]`.
    ///   - lifetime: How long it lives from now on. A negative duration makes one that has ended. `nil` means the usual
    ///     lifetime.
    ///   - flaw: What is wrong with it; `nil` makes a good one.
    /// - Returns: The token, for `Authorization: Bearer`.
    /// - Throws: `TestToken.Refusal` for a user, an API, a scope or a claim that does not exist. Its text lists those
    ///   that do.
    public func accessToken(
        for user: String,
        api: String,
        scopes: [String]? = nil,
        setting claims: [String: TestToken.Claim] = [:],
        lifetime: Duration? = nil,
        flaw: TestToken.Flaw? = nil
    ) async throws -> String {
        var token = TestToken(user: user, api: api, scopes: scopes)
        token.claims = claims
        token.lifetime = lifetime
        token.flaw = flaw
        return try await accessToken(token)
    }

    /// An access token that an application has in its own name, with the app roles that it was given.
    ///
    /// - Parameters:
    ///   - application: The client id or the display name.
    ///   - api: The API by its client id or another identifier.
    ///   - claims: Claims that are added or replaced, such as `["roles": ["Tasks.Read.All"]]`.
    ///   - lifetime: How long it lives from now on. A negative duration makes one that has ended. `nil` means the usual
    ///     lifetime.
    ///   - flaw: What is wrong with it; `nil` makes a good one.
    /// - Returns: The token, for `Authorization: Bearer`.
    /// - Throws: `TestToken.Refusal` for an application, an API or a claim that does not exist. Its text lists those
    ///   that do.
    public func accessToken(
        forApplication application: String,
        api: String,
        setting claims: [String: TestToken.Claim] = [:],
        lifetime: Duration? = nil,
        flaw: TestToken.Flaw? = nil
    ) async throws -> String {
        var token = TestToken(application: application, api: api)
        token.claims = claims
        token.lifetime = lifetime
        token.flaw = flaw
        return try await accessToken(token)
    }
}
