// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal account show`
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the active account.",
        usage: "msal account show [--account <name>] [options]",
        discussion: """
            This is the account in --account, or the default from msal account set, or the only signed-in account.

            EXAMPLES
              msal account show
              msal whoami -o raw
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try Settings(client)
        let application = try settings.application()
        let shown = try AccountChoice.account(account.account, of: application, default: settings.account)
        let isDefault = AccountChoice.isDefault(shown, of: application, default: settings.account)
        try output.show(AccountReport(account: AccountMembers(shown), isDefault: isDefault))
    }
}

/// `msal whoami`, which is `msal account show`.
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show the active account.",
        usage: "msal whoami [options]"
    )

    @OptionGroup var show: AccountShowCommand

    func run() async throws { try await show.run() }
}

/// One account.
struct AccountReport: Report, Encodable {
    var account: AccountMembers
    /// Whether commands use this account unless another is named.
    var isDefault: Bool

    func text(_ style: Style) -> TerminalText {
        table(
            [
                ("Account", style.strong(account.username)), ("Default", isDefault ? "yes" : "no"),
                ("Cloud", "\(account.environment)"), ("Tenant", "\(account.tenantId)"),
                ("Id", "\(account.homeAccountId)"),
            ],
            style: style
        )
    }

    var raw: String { account.username }
}
