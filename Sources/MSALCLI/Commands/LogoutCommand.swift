// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal logout`
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out: remove an account's tokens.",
        usage: "msal logout [--account <name> | --all] [--browser] [options]",
        discussion: """
            The browser stays signed in unless --browser is given.

            EXAMPLES
              msal logout
              msal logout --account megan@contoso.example --browser
              msal logout --all
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Sign out every account.")
    var all = false

    @Flag(help: "End the browser's session too.")
    var browser = false

    func validate() throws {
        guard !all || account.account == nil else { throw ValidationError("--all and --account exclude each other.") }
    }

    func run() async throws {
        let settings = try Settings(client)
        let wait = BrowserWait("to sign out", opensBrowser: true)
        let request = self
        let names: [String]
        do {
            // Only a page in the browser waits so long that Ctrl-C needs to be more than the end.
            names =
                browser
                ? try await cancelledByInterrupt { try await request.signOut(settings, wait) }
                : try await signOut(settings, wait)
        } catch {
            await wait.finish()
            throw error
        }
        await wait.finish()
        try output.show(LogoutReport(signedOut: names))
    }

    private func signOut(_ settings: Settings, _ wait: BrowserWait) async throws -> [String] {
        let application = try settings.application()
        let accounts =
            all
            ? try application.allAccounts()
            : [try AccountChoice.account(account.account, of: application)]
        var names: [String] = []
        for account in accounts {
            let webview = MSALWebviewParameters()
            webview.onOpen = { wait.opened($0) }
            webview.onLaunch = { wait.launched($0) }
            let parameters = MSALSignoutParameters(webviewParameters: webview)
            parameters.signoutFromBrowser = browser
            let name = AccountChoice.label(account)
            do {
                _ = try await settings.connected {
                    try await application.signout(with: account, signoutParameters: parameters)
                }
            } catch {
                await wait.finish()
                if browser, !Self.knows(account, application) {
                    Terminal.errors.write("\(name) is signed out here; only the browser's session was not ended.")
                }
                throw error
            }
            await wait.finish()
            names.append(name)
        }
        return names
    }

    /// Whether an account is still in the store; also if that cannot be told.
    private static func knows(_ account: MSALAccount, _ application: MSALPublicClientApplication) -> Bool {
        // A store that cannot be read now has failed the sign-out already, and that is told.
        guard let accounts = try? application.allAccounts() else { return true }
        return accounts.contains { $0.identifier == account.identifier }
    }
}

/// Who was signed out.
struct LogoutReport: Report, Encodable {
    var signedOut: [String]

    func text(_ style: Style) -> TerminalText {
        guard !signedOut.isEmpty else { return "Nobody was signed in." }
        return signedOut.map { style.good("✓") + " Signed out " + style.strong($0) }.joined(separator: "\n")
    }

    var raw: String { signedOut.joined(separator: "\n") }
}
