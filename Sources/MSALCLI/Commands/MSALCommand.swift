// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal`, the root of the commands.
struct MSALCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "msal",
        abstract: "Sign in with Microsoft Entra ID and get tokens on Linux.",
        usage: "msal <command> [options]",
        discussion: """
            FIRST STEPS
              msal setup
              msal graph /me
            Or with a registered app:
              export MSAL_CLIENT_ID=00000000-0000-4000-8000-000000000001
              msal login --scope User.Read
              msal graph /me
              TOKEN=$(msal token --scope User.Read --output raw)

            SETTINGS
            Flags override the environment, the environment overrides the profile, and the profile overrides the \
            defaults. Profiles are in the file that MSAL_CONFIG names, or in $XDG_CONFIG_HOME/msal/config.yaml, by \
            default ~/.config/msal/config.yaml:

                default_profile: contoso
                profiles:
                  contoso:
                    client_id: 00000000-0000-4000-8000-000000000001
                    authority: https://login.microsoftonline.com/contoso.com
                    scopes: [User.Read]

            More members of a profile: known_authorities, ca_file, graph_url, port, redirect_uri, account. \
            msal config reads and changes them.

            ENVIRONMENT
              MSAL_CONFIG        the settings file, instead of config.yaml
              MSAL_PROFILE       the profile to use
              MSAL_CLIENT_ID     the application ID of the app registration
              MSAL_AUTHORITY     the authority, an https address
              MSAL_SCOPES        the requested scopes, separated by spaces
              MSAL_CA_FILE       a PEM file with additional certificate authorities to trust
              MSAL_STORE_DIR     the directory of the token store; ~/.local/state by default
              MSAL_STORE_KEY     where the key of a new token store is kept; auto by default
              MSAL_GRAPH_URL     the address of Microsoft Graph; that of the authority's cloud by default
              MSAL_REDIRECT_URI  the redirect URI, for every app
              MSAL_LINK          no: do not show a link if a browser was started
              MSAL_LOG           error, warning, info or verbose: log lines on standard error
              BROWSER            the browser to open
              NO_COLOR           if set, output has no color
            SSL_CERT_FILE, HTTPS_PROXY, ALL_PROXY and NO_PROXY are honored.

            OUTPUT
            Text output shows control characters, line breaks inside a value and bidirectional marks as ^[ or \
            <U+202E>, wherever it goes. JSON and raw output keep them; JSON on a terminal has \\u escapes.

            EXIT STATUS
            \(CommandExit.table.map { "  \($0)" }.joined(separator: "\n"))

            COMPLETIONS
              msal --generate-completion-script bash > ~/.msal-completion
            Source that file in ~/.bashrc. zsh and fish are supported too.
            """,
        version: MSALPublicClientApplication.sdkVersion ?? "unknown",
        subcommands: [
            SetupCommand.self,
            LoginCommand.self,
            TokenCommand.self,
            AccountCommand.self,
            WhoamiCommand.self,
            AccountsCommand.self,
            LogoutCommand.self,
            GraphCommand.self,
            GitCredentialCommand.self,
            DockerCredentialCommand.self,
            KubeTokenCommand.self,
            SSOCookieCommand.self,
            ConfigCommand.self,
            NativeCommand.self,
            CacheCommand.self,
            DoctorCommand.self,
            RedirectCommand.self,
            VersionCommand.self,
        ]
    )
}

/// `msal account`, the accounts that are signed in.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "List, show, choose and forget accounts.",
        usage: "msal account <command> [options]",
        subcommands: [
            AccountListCommand.self, AccountShowCommand.self, AccountSetCommand.self, AccountForgetCommand.self,
        ]
    )
}

/// `msal version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.show(VersionReport(version: MSALPublicClientApplication.sdkVersion ?? "unknown"))
    }
}

/// The version of the command and the library. They are always built together.
struct VersionReport: Report, Encodable {
    var version: String

    func text(_ style: Style) -> TerminalText { "msal \(version)" }
    var raw: String { version }
}
