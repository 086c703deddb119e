// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal token`
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        _superCommandName: "msal",
        abstract: "Get an access token without asking the user.",
        usage: "msal token [options]",
        discussion: """
            Takes the token from the store, and renews it when needed. The token itself is a secret and is written \
            only if asked for: `--output raw` writes nothing else, `--show-token` adds it to text and JSON.

            EXAMPLES
              msal token --scope User.Read
              msal token -o raw | sed 's/^/Authorization: Bearer /' |
                curl -H @- https://graph.microsoft.com/v1.0/me
              msal token --account megan@contoso.example -o json --show-token
              msal token --claims 'Bearer error="insufficient_claims", claims="eyJhY2Nl…"'
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: ScopeOptions.help)
    var scope: [String] = []

    @Option(help: AccountOptions.help)
    var account: String?

    @Option(name: OutputOptions.name, help: OutputOptions.help)
    var output = OutputFormat.text

    @Flag(help: "Renew the token even if the stored one is good.")
    var refresh = false

    @Option(help: ArgumentHelp(ClaimsChallenge.help, valueName: "claims"))
    var claims: String?

    @Flag(help: "Add the token to text and JSON.")
    var showToken = false

    func run() async throws {
        let settings = try Settings(client, scopes: scope)
        var query = SilentQuery(settings, SignInCommand(client, scopes: scope))
        query.accountName = account
        query.isRefresh = refresh
        query.claims = try ClaimsChallenge.parse(claims)
        let result = try await query.token(by: try settings.application())
        try output.show(TokenReport(result, showsToken: showToken))
        output.warn(isPersisted: result.isPersisted)
    }
}

/// A wish for a token without asking the user.
struct SilentQuery {
    var situation: Situation
    var accountName: String?
    var isRefresh = false
    var claims: ClaimsChallenge?
    private let settings: Settings

    /// A token for the settings' scopes; `signIn` is what would get it by asking the user.
    init(_ settings: Settings, _ signIn: SignInCommand) {
        self.settings = settings
        situation = Situation(settings: settings, signIn: signIn)
    }

    /// The token. From then on `situation` knows the account too.
    ///
    /// - Throws: `Failure`, whose remedy is exact.
    mutating func token(by application: MSALPublicClientApplication) async throws -> MSALResult {
        try settings.checkAuthority()
        let account = try AccountChoice.account(accountName, of: application)
        situation.signIn.loginHint = account.username
        situation.signIn.claims = claims
        let parameters = MSALSilentTokenParameters(scopes: settings.scopes, account: account)
        parameters.forceRefresh = isRefresh
        parameters.claimsRequest = try claims?.request()
        return try await situation.explaining {
            try await settings.connected { try await application.acquireTokenSilent(with: parameters) }
        }
    }
}

/// Where a token came from, and by which request.
struct TokenOrigin {
    var source: String
    var reason: String
    var isPersisted: Bool
    var correlationId: String
}

/// A token, what it is for and how long it lives. It tells the token itself only in raw form, or where asked to.
struct TokenReport: Report, Encodable {
    var account: AccountMembers
    var scopes: [String]
    var expiresOn: Date
    /// Where the token came from; native authentication does not say.
    var origin: TokenOrigin?
    var token: Secret
    var showsToken: Bool

    func text(_ style: Style) -> TerminalText {
        var rows: [(String, TerminalText)] = [
            ("Account", style.strong(account.username)),
            ("Scopes", "\(scopes.joined(separator: " "))"),
            ("Expires", "\(expiresOn.formatted(.iso8601))"),
        ]
        if let origin { rows.append(("Source", "\(origin.source), \(origin.reason)")) }
        if showsToken { rows.append(("Token", "\(token.exposed)")) }
        let lines = table(rows, style)
        return showsToken ? lines : lines + "\n" + style.faint("Use --output raw to print the token.")
    }

    var raw: String { token.exposed }
}

extension TokenReport {
    private enum CodingKeys: String, CodingKey {
        case account, scopes, expiresOn, tokenType, source, sourceReason, isPersisted, correlationId, accessToken
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(scopes, forKey: .scopes)
        try members.encode(expiresOn, forKey: .expiresOn)
        try members.encode("Bearer", forKey: .tokenType)
        if let origin {
            try members.encode(origin.source, forKey: .source)
            try members.encode(origin.reason, forKey: .sourceReason)
            try members.encode(origin.isPersisted, forKey: .isPersisted)
            try members.encode(origin.correlationId, forKey: .correlationId)
        }
        if showsToken { try members.encode(token.exposed, forKey: .accessToken) }
    }

    init(_ result: MSALResult, showsToken: Bool) {
        self.init(
            account: AccountMembers(result.account),
            scopes: result.scopes,
            expiresOn: result.expiresOn ?? .distantPast,
            origin: TokenOrigin(
                source: result.source.origin.rawValue,
                reason: result.source.reason,
                isPersisted: result.isPersisted,
                correlationId: result.correlationId.uuidString
            ),
            token: Secret(result.accessToken),
            showsToken: showsToken
        )
    }
}
