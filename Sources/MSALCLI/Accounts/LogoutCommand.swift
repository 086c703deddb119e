// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL
import Synchronization

/// `msal logout`
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out: remove an account's tokens.",
        usage: "msal logout [--account <name> | --all] [--browser] [options]",
        discussion: """
            The browser stays signed in without --browser. Some services do not redirect the browser back from their \
            sign-out page; msal waits ten seconds for it, or as long as --timeout says. --all also deletes older \
            copies of the token store that were kept after damage, and the names of accounts without tokens. If the \
            account was the default, the default is removed.

            EXAMPLES
              msal logout
              msal logout --account megan@contoso.example --browser
              msal logout --all
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup var redirect: RedirectOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Sign out every account.")
    var all = false

    @Flag(help: "Also end the browser session.")
    var browser = false

    @Option(help: ArgumentHelp("How long to wait for the browser; 10 by default.", valueName: "seconds"))
    var timeout: Int?

    private var timeoutSeconds: Int { timeout ?? 10 }

    func validate() throws {
        guard !all || account.account == nil else {
            throw ValidationError("--all and --account cannot be used together.")
        }
        let isForBrowser = timeout != nil || redirect.port != nil || redirect.redirectURI != nil
        guard browser || !isForBrowser else {
            throw ValidationError("--timeout, --port and --redirect-uri require --browser.")
        }
        guard (1...86_400).contains(timeoutSeconds) else {
            throw ValidationError("--timeout takes 1 to 86400 seconds, not \(timeoutSeconds).")
        }
    }

    func run() async throws {
        let settings = try Settings(client, redirect: redirect)
        let line = WaitLine()
        if browser { line.wait(for: .network) }
        let wait = BrowserWait("to sign out", opensBrowser: true, line: line)
        let request = self
        let report = try await wait.ending {
            // Only a sign-out page in the browser takes long. Ctrl-C cancels that call. Without the page, Ctrl-C ends
            // the process.
            try await browser
                ? canceledByInterrupt { try await request.signOut(settings, wait: wait) }
                : signOut(settings, wait: wait)
        }
        try output.show(report)
        guard report.browserSession == .unconfirmed else { return }
        Terminal.errors.write(
            """
            The browser did not return from the sign-out page within \(timeoutSeconds) s. The page shows whether the session \
            has ended.
            """
        )
    }

    private func signOut(_ settings: Settings, wait: BrowserWait) async throws -> LogoutReport {
        let application = try settings.application(timeout: .seconds(timeoutSeconds))
        let accounts =
            all
            ? try application.allAccounts()
            : [try AccountChoice.account(account.account, of: application, default: settings.account)]
        var signedOut: [MSALAccount] = []
        let unconfirmed = Mutex(false)
        for account in accounts {
            let webview = MSALWebviewParameters()
            webview.onOpen = { wait.opened($0) }
            webview.onLaunch = { wait.launched($0) }
            let parameters = MSALSignoutParameters(webviewParameters: webview)
            parameters.signoutFromBrowser = browser
            parameters.onSignOutOutcome = { if $0 != .ended { unconfirmed.withLock { $0 = true } } }
            do {
                _ = try await wait.ending {
                    try await settings.connected {
                        try await application.signout(with: account, signoutParameters: parameters)
                    }
                }
            } catch {
                if browser, !Self.knows(account, in: application) {
                    let name = AccountChoice.label(account)
                    Terminal.errors.write("\(name) is signed out here, but the browser session was not ended.")
                }
                throw error
            }
            signedOut.append(account)
        }
        try DefaultAccount.forget(signedOut, settings: settings)
        if all, CacheTarget.isPersistent() {
            try await CacheTarget(group: Settings.applicationID).run { try await $0.removeLeftovers() }
        }
        return LogoutReport(
            signedOut: signedOut.map(AccountChoice.label),
            browserSession: unconfirmed.withLock { $0 } ? .unconfirmed : browser && !signedOut.isEmpty ? .ended : .kept
        )
    }

    /// Whether an account is still in the store; also `true` if the store cannot be read.
    private static func knows(_ account: MSALAccount, in application: MSALPublicClientApplication) -> Bool {
        // If the store cannot be read now, the sign-out has failed for the same reason and reports it.
        guard let accounts = try? application.allAccounts() else { return true }
        return accounts.contains { $0.identifier == account.identifier }
    }
}

/// The report of `msal logout`.
struct LogoutReport: Report, Encodable {
    var signedOut: [String]
    var browserSession = BrowserSession.kept

    /// The state of the browser's session after the sign-out.
    enum BrowserSession: String, Encodable {
        /// The user did not ask to end it.
        case kept
        case ended
        /// The sign-out page was opened, but the service did not confirm the end.
        case unconfirmed
    }

    func text(_ style: Style) -> TerminalText {
        guard !signedOut.isEmpty else { return "No account was signed in." }
        return signedOut.map { style.good("✓") + " Signed out " + style.strong($0) }.joined(separator: "\n")
    }

    var raw: String { signedOut.joined(separator: "\n") }
}
