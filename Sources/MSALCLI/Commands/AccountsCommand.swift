// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List who is signed in.",
        usage: "msal accounts [options]",
        discussion: """
            EXAMPLES
              msal accounts
              msal accounts --output raw | head -n 1
              msal accounts --output json
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let application = try Settings(client).application()
        let accounts = try application.allAccounts().map(AccountMembers.init)
        try output.show(AccountsReport(accounts: accounts.sorted { $0.username < $1.username }))
    }
}

/// The accounts, by name.
struct AccountsReport: Report, Encodable {
    var accounts: [AccountMembers]

    func text(_ style: Style) -> TerminalText {
        guard !accounts.isEmpty else { return "Nobody is signed in. Sign in: msal login" }
        let width = accounts.map(\.username.visible.count).max() ?? 0
        return accounts.map { account in
            let gap = String(repeating: " ", count: width - account.username.visible.count + 2)
            let place = style.faint("\(account.environment), tenant \(account.tenantId)")
            return "\(style.strong(account.username))\(gap)\(place)"
        }.joined(separator: "\n")
    }

    var raw: String { accounts.map(\.username).joined(separator: "\n") }
}
