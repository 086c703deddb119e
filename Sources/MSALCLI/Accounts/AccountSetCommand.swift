// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal account set`
struct AccountSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the default account.",
        usage: "msal account set <name> [options]",
        discussion: """
            The default applies to this client and profile. It is stored in config.yaml: in the selected profile, or \
            else under accounts, by client ID.

            EXAMPLES
              msal account set megan@contoso.example
              msal account set --none
            """
    )

    @Argument(help: "The account: its user name or its ID.", completion: AccountOptions.completion)
    var name: String?

    @Flag(help: "Remove the default.")
    var none = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var output: OutputOptions

    /// The command line that makes an account of a client the default, ready to be pasted into a shell.
    static func line(_ name: String, client: some ClientChoice) -> String {
        ShellWords.line(["msal", "account", "set", name] + ShellWords.flags(of: client))
    }

    func validate() throws {
        guard none == (name == nil) else { throw ValidationError("Pass one account, or --none.") }
    }

    func run() async throws {
        let settings = try Settings(client)
        var file = try ConfigFile()
        guard let name else {
            try file.setDefaultAccount(nil, of: settings)
            return try output.show(DefaultAccountReport(account: nil, file: file.path))
        }
        let application = try settings.application()
        let account = try AccountChoice.account(name, of: application)
        let lasting = AccountChoice.stableName(of: account, among: try application.allAccounts())
        try file.setDefaultAccount(lasting, of: settings)
        try output.show(DefaultAccountReport(account: AccountMembers(account), file: file.path))
    }
}

/// The default account, and where it is written.
struct DefaultAccountReport: Report, Encodable {
    @ExplicitNull var account: AccountMembers? = nil
    var file: String

    func text(_ style: Style) -> TerminalText {
        guard let account else { return "\(style.good("✓")) There is no default account now." }
        return "\(style.good("✓")) \(style.strong(account.username)) is the default."
    }

    var raw: String { account?.username ?? "" }
}
