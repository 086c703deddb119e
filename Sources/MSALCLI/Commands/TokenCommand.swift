// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `msal token`
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        _superCommandName: "msal",
        abstract: "Get an access token without prompting.",
        usage: "msal token [options]",
        discussion: """
            Returns the stored token, and renews it when needed. The token is a secret and is written only on request: \
            `--output raw` writes only the token, `--show-token` adds it to text and JSON. If the output goes to a \
            program or a file, --output or --show-token is required. With --debug, JSON has the seconds that the request \
            took.

            EXAMPLES
              msal token --scope User.Read
              msal token -o raw | sed 's/^/Authorization: Bearer /' |
                curl -H @- https://graph.microsoft.com/v1.0/me
              msal token --account megan@contoso.example -o json --show-token
              msal token --claims 'Bearer error="insufficient_claims", claims="eyJhY2Nl…"'

            WITHOUT A USER
            Gets a token for an application, for the machine, or for the first identity that is configured here. It is \
            not stored. The scope is <resource>/.default.

              export MSAL_SCOPES=https://graph.microsoft.com/.default
              msal token --client ID --tenant T --client-secret-env APP_SECRET
              msal token --client ID --tenant T --certificate app.pem
              msal token --client ID --tenant T --federated github
              msal token --managed-identity --scope https://vault.azure.net/.default
              msal token --default --scope https://vault.azure.net/.default
              msal token --client BLUEPRINT --tenant T --certificate F --agent ID
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: ScopeOptions.help)
    var scope: [String] = []

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    @Option(name: OutputOptions.name, help: OutputOptions.help)
    var output: OutputFormat?

    @Flag(help: "Renew the token even if the stored one is still valid.")
    var refresh = false

    @Option(help: ArgumentHelp(ClaimsChallenge.help, valueName: "claims"))
    var claims: String?

    @Flag(help: "Include the token in text and JSON output.")
    var showToken = false

    @OptionGroup var service: ServiceOptions

    func run() async throws { try await TokenCall(self).run() }
}

extension TokenCall {
    /// The call for these parsed arguments.
    init(_ command: TokenCommand) {
        client = Client(command.client)
        scopes = command.scope
        account = command.account
        output = command.output
        isRefresh = command.refresh
        claims = command.claims
        showsToken = command.showToken
        isDebug = command.client.debug
        service = command.service.choice
    }
}

extension TokenCall.Client {
    fileprivate init(_ options: ClientOptions) {
        profile = options.profile
        clientID = options.clientID
        authority = options.authority
        knownAuthority = options.knownAuthority
        caFile = options.caFile
    }
}
