// Licensed under the MIT License. See LICENSE.

import ArgumentParser

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
