// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal account list`
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the signed-in accounts.",
        usage: "msal account list [options]",
        discussion: """
            Accounts that an identity broker manages are marked. This client has not used an offered account yet: msal \
            token --account NAME uses it without a sign-in page. In JSON, see broker and signed_in.

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
        let application = try settings.application()
        let own = try application.allAccounts()
        // Several accounts may be signed in without a default one.
        let usual = try? AccountChoice.account(nil, of: application, default: settings.account)
        let all = await WaitLine.waiting(for: .network) { await DeviceAccounts(of: application).added(to: own) }
        try output.show(
            AccountsReport(
                accounts: all.map { account in
                    ListedAccount(
                        AccountMembers(account),
                        isBrokers: account.isSSOAccount,
                        isSignedIn: own.contains { $0.identifier == account.identifier }
                    )
                }.sorted { $0.account.username < $1.account.username },
                defaultAccount: usual?.identifier
            )
        )
    }
}

/// `msal accounts`, the older name.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the signed-in accounts; same as msal account list.",
        usage: "msal accounts [options]",
        shouldDisplay: false
    )

    @OptionGroup var list: AccountListCommand

    func run() async throws { try await list.run() }
}

/// An account, and where its sign-in is stored.
struct ListedAccount: Encodable, Equatable {
    var account: AccountMembers
    /// Whether the identity broker stores the sign-in.
    var isBrokers: Bool
    /// Whether the user signed in with it here. The device offers the other accounts.
    var isSignedIn: Bool

    init(_ account: AccountMembers, isBrokers: Bool = false, isSignedIn: Bool = true) {
        self.account = account
        self.isBrokers = isBrokers
        self.isSignedIn = isSignedIn
    }

    private enum CodingKeys: String, CodingKey {
        case isBrokers = "broker"
        case isSignedIn = "signedIn"
    }

    func encode(to encoder: any Encoder) throws {
        try account.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(isBrokers, forKey: .isBrokers)
        try members.encode(isSignedIn, forKey: .isSignedIn)
    }

    /// The owner of the account, if that is not the token store.
    var keeper: String {
        switch (isBrokers, isSignedIn) {
        case (false, _): ""
        case (true, true): ", identity broker"
        case (true, false): ", offered by the identity broker"
        }
    }
}

/// The accounts, by name.
struct AccountsReport: Report, Encodable {
    var accounts: [ListedAccount]
    /// The home account ID of the account that commands use unless another is named.
    @ExplicitNull var defaultAccount: String? = nil

    func text(_ style: Style) -> TerminalText {
        guard !accounts.isEmpty else { return "Not signed in. Sign in: msal login" }
        let width = accounts.map(\.account.username.visible.count).max() ?? 0
        return accounts.map { listed in
            let account = listed.account
            let gap = String(repeating: " ", count: width - account.username.visible.count + 2)
            let place = style.faint("\(account.environment), tenant \(account.tenantId)\(listed.keeper)")
            let mark: TerminalText =
                switch accounts.count > 1 ? defaultAccount : nil {
                case nil: ""
                case account.homeAccountId?: "* "
                case _?: "  "
                }
            return "\(mark)\(style.strong(account.username))\(gap)\(place)"
        }.joined(separator: "\n")
    }

    /// The user names of the accounts that are signed in.
    var raw: String { accounts.filter(\.isSignedIn).map(\.account.username).joined(separator: "\n") }
}
