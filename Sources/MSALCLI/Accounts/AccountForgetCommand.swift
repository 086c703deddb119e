// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal account forget`
struct AccountForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove an account's tokens from this machine.",
        usage: "msal account forget <name> [options]",
        discussion: """
            No request is sent, and the browser stays signed in; msal logout --browser also ends the browser session. \
            If the account was the default, the default is removed.

            EXAMPLES
              msal account forget megan@contoso.example
            """
    )

    @Argument(help: "The account: its user name or its ID.", completion: AccountOptions.completion)
    var name: String

    @OptionGroup var client: ClientOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try Settings(client)
        let application = try settings.application()
        let account = try AccountChoice.account(name, of: application)
        try application.remove(account)
        try DefaultAccount.forget([account], settings: settings)
        try output.show(LogoutReport(signedOut: [AccountChoice.label(account)]))
    }
}
