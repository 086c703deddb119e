// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal account list`
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List who is signed in.",
        usage: "msal account list [options]",
        discussion: """
            EXAMPLES
              msal account list
              msal account list --output raw | head -n 1
              msal account list --output json
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try Settings(client)
        let accounts = try settings.application().allAccounts()
        let usual = accounts.first { account in
            settings.account.map { AccountChoice.Candidate(account).isMeant(by: $0) } ?? false
        }
        try output.show(
            AccountsReport(
                accounts: accounts.map(AccountMembers.init).sorted { $0.username < $1.username },
                defaultAccount: usual?.identifier
            )
        )
    }
}

/// `msal accounts`, the older name.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List who is signed in: msal account list.",
        usage: "msal accounts [options]",
        shouldDisplay: false
    )

    @OptionGroup var list: AccountListCommand

    func run() async throws { try await list.run() }
}

/// The accounts, by name.
struct AccountsReport: Report, Encodable {
    var accounts: [AccountMembers]
    /// The home account id of the account that commands are about unless one is named.
    var defaultAccount: String?

    private enum CodingKeys: String, CodingKey {
        case accounts, defaultAccount
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(accounts, forKey: .accounts)
        try members.encode(defaultAccount, forKey: .defaultAccount)
    }

    func text(_ style: Style) -> TerminalText {
        guard !accounts.isEmpty else { return "Nobody is signed in. Sign in: msal login" }
        let width = accounts.map(\.username.visible.count).max() ?? 0
        return accounts.map { account in
            let gap = String(repeating: " ", count: width - account.username.visible.count + 2)
            let place = style.faint("\(account.environment), tenant \(account.tenantId)")
            let mark: TerminalText =
                switch defaultAccount {
                case nil: ""
                case account.homeAccountId?: "* "
                case _?: "  "
                }
            return "\(mark)\(style.strong(account.username))\(gap)\(place)"
        }.joined(separator: "\n")
    }

    var raw: String { accounts.map(\.username).joined(separator: "\n") }
}
