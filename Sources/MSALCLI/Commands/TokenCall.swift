// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The arguments of `msal token`, and what the command does with them.
struct TokenCall: Equatable {
    /// The flags that name the client and the authority.
    struct Client: ClientChoice, Equatable {
        var profile: String?
        var clientID: String?
        var authority: String?
        var knownAuthority: [String] = []
        var caFile: String?
    }

    var client = Client()
    var scopes: [String] = []
    var account: String?
    var output: OutputFormat?
    /// Whether the token is renewed even if the stored one is good.
    var isRefresh = false
    /// The text of a claims challenge, in any of its forms.
    var claims: String?
    /// Whether the token is shown in the formats text and JSON.
    var showsToken = false
    /// The application or machine whose token is requested. For a user's token it chooses nothing.
    var service = ServiceChoice()

    func run() async throws {
        let output = try OutputFormat.ofToken(output, isShown: showsToken)
        guard !service.isChosen else {
            let token = ServiceToken(
                choice: service,
                sources: try SettingSources(client, scopes: scopes),
                isRefresh: isRefresh,
                claims: claims
            )
            return try output.show(try await token.report(showsToken: showsToken))
        }
        let settings = try Settings(client, scopes: scopes)
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: scopes))
        query.accountName = account
        query.isRefresh = isRefresh
        query.claims = try ClaimsChallenge.parse(claims)
        let result = try await query.token(by: try settings.application())
        try output.show(TokenReport(result, showsToken: showsToken))
        await output.warn(isPersisted: result.isPersisted)
    }
}
