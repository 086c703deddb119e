// Licensed under the MIT License. See LICENSE.

public import EntraEmulator

extension Emulator {
    /// Issues an access token for a user, without a sign-in.
    ///
    /// ```swift
    /// let token = try await emulator.accessToken(for: "megan@contoso.example", api: "api://tasks", scopes: ["Tasks.Read"])
    /// let expired = try await emulator.accessToken(for: "megan@contoso.example", api: "api://tasks", flaw: .expired)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The user principal name or the object ID.
    ///   - api: The API by its client ID or another identifier.
    ///   - scopes: The permissions; `nil` uses all that do not require an administrator.
    ///   - claims: Claims to add or replace, such as `["roles": ["Planner"]]`.
    ///   - lifetime: The lifetime from now on. A negative duration creates an expired token. `nil` means the default
    ///     lifetime.
    ///   - flaw: The flaw of the token; `nil` creates a valid one.
    /// - Returns: The token, for `Authorization: Bearer`.
    /// - Throws: `TestToken.Refusal` for a user, an API, a scope, or a claim that does not exist. The message lists
    ///   those that do.
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

    /// Issues an app-only access token with the app roles assigned to the application.
    ///
    /// - Parameters:
    ///   - application: The client ID or the display name.
    ///   - api: The API by its client ID or another identifier.
    ///   - claims: Claims to add or replace, such as `["roles": ["Tasks.Read.All"]]`.
    ///   - lifetime: The lifetime from now on. A negative duration creates an expired token. `nil` means the default
    ///     lifetime.
    ///   - flaw: The flaw of the token; `nil` creates a valid one.
    /// - Returns: The token, for `Authorization: Bearer`.
    /// - Throws: `TestToken.Refusal` for an application, an API, or a claim that does not exist. The message lists
    ///   those that do.
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
