// Licensed under the MIT License. See LICENSE.

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
    /// Whether JSON has the durations of the request.
    var isDebug = false
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
            return try output.show(try await token.report(showsToken: showsToken, isDebug: isDebug))
        }
        let settings = try Settings(client, scopes: scopes)
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: scopes))
        query.accountName = account
        query.isRefresh = isRefresh
        query.claims = try ClaimsChallenge.parse(claims)
        let result = try await query.token(by: try settings.application())
        try output.show(TokenReport(result, showsToken: showsToken, isDebug: isDebug))
        await output.warn(isPersisted: result.isPersisted)
    }
}

extension TokenCall {
    /// The call for the arguments of a process, if they are simple; `nil` for all other arguments.
    ///
    /// ``TokenCommand`` defines the options. Its parser finds them by reflection, and that takes longer than finding a
    /// token in the store. So this reader knows the plain forms of the same options: `--name value` and `-o value`. It
    /// leaves every other form, every error and the help to the parser. A test compares the two.
    init?(plain arguments: [String]) {
        guard arguments.first == "token" else { return nil }
        self.init()
        var words = arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--refresh" where !isRefresh: isRefresh = true
            case "--show-token" where !showsToken: showsToken = true
            case "--output" where output == nil, "-o" where output == nil:
                guard let chosen = words.popFirst().flatMap(OutputFormat.init(rawValue:)) else { return nil }
                output = chosen
            default:
                // The parser has rules of its own for an empty value, and for a value that looks like an option.
                guard let value = words.popFirst(), !value.isEmpty, !value.hasPrefix("-"), take(value, of: word) else {
                    return nil
                }
            }
        }
    }

    /// Takes the value of an option. Returns `false` if this reader does not know the option, or if it occurs twice and
    /// takes only one value.
    private mutating func take(_ value: String, of option: String) -> Bool {
        switch option {
        case "--scope": scopes.append(value)
        case "--known-authority": client.knownAuthority.append(value)
        case "--account" where account == nil: account = value
        case "--claims" where claims == nil: claims = value
        case "--profile" where client.profile == nil: client.profile = value
        case "--client-id" where client.clientID == nil: client.clientID = value
        case "--authority" where client.authority == nil: client.authority = value
        case "--ca-file" where client.caFile == nil: client.caFile = value
        default: return false
        }
        return true
    }
}
