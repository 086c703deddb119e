// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in through the browser.",
        usage: "msal login [options]",
        discussion: """
            Opens the sign-in page and waits for its answer at a port of this machine. The registration of the app \
            needs the redirect URI http://localhost, or the one that --redirect-uri names. Tokens are stored, not shown.

            In a remote login, forward a port and open the address in the browser at home:
              ssh -L 8400:localhost:8400 HOST msal login --no-browser --port 8400

            EXAMPLES
              msal login
              msal login --profile contoso --scope "User.Read Mail.Read"
              msal login --prompt select_account --login-hint megan@contoso.example
              msal login --no-browser
              msal login --claims '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}'
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var redirect: RedirectOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .customLong("no-browser"), help: "Only show the address; open it yourself.")
    var staysOutOfBrowser = false

    @Option(help: "What to ask of the user. The service decides unless it is set.")
    var prompt: Prompt?

    @Option(help: ArgumentHelp("The user name to fill in.", valueName: "name"))
    var loginHint: String?

    @Option(help: ArgumentHelp(ClaimsChallenge.help, valueName: "claims"))
    var claims: String?

    @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "seconds"))
    var timeout = 300

    func validate() throws {
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout takes 1 to 86400 seconds, not \(timeout).")
        }
    }

    func run() async throws {
        let settings = try Settings(client, scopes: scopes.scope, redirect: redirect)
        try settings.checkAuthority()
        let challenge = try ClaimsChallenge.parse(claims)
        let hint = Situation(settings: settings).unregisteredHint
        let wait = BrowserWait("to sign in", opensBrowser: !staysOutOfBrowser, hint: hint)
        let request = self
        let result: MSALResult
        do {
            result = try await cancelledByInterrupt {
                try await request.signIn(settings, challenge: challenge, wait: wait)
            }
        } catch is CancellationError {
            await wait.finish()
            throw Failure.canceled(remedy: wait.hint)
        } catch {
            await wait.finish()
            throw error
        }
        await wait.finish()
        let report = SignInReport(result)
        try await output.show(report, isPersisted: report.isPersisted)
    }

    private var signInCommand: SignInCommand {
        var command = SignInCommand(client, scopes: scopes.scope, redirect: redirect)
        command.loginHint = loginHint
        return command
    }

    private func signIn(
        _ settings: Settings,
        challenge: ClaimsChallenge?,
        wait: BrowserWait
    ) async throws -> MSALResult {
        try await CacheTarget.checkThatSignInsLast()
        let application = try settings.application(
            timeout: .seconds(timeout),
            opensBrowser: !staysOutOfBrowser,
            mayAskToUnlock: true
        )
        let webview = MSALWebviewParameters()
        webview.onOpen = { wait.opened($0) }
        webview.onLaunch = { wait.launched($0) }
        let parameters = MSALInteractiveTokenParameters(scopes: settings.scopes, webviewParameters: webview)
        parameters.promptType = prompt?.type ?? .default
        parameters.loginHint = loginHint
        parameters.claimsRequest = try challenge?.request()
        return try await settings.connected {
            do {
                return try await application.acquireToken(with: parameters)
            } catch let error as NSError {
                throw failure(error, in: Situation(settings: settings, signIn: signInCommand))
            }
        }
    }

    /// The library's error, with what else may have happened in the browser.
    private func failure(_ error: NSError, in situation: Situation) -> Failure {
        var failure = Failure(error, in: situation)
        if prompt != nil, failure.serviceCodes.contains(90_023) {
            failure.remedy = "Check --prompt: this tenant does not take that value."
        }
        // The browser did not come back. The page may have shown an error without a redirect.
        if failure.status == .canceled, error.userInfo[MSALOAuthErrorKey] == nil {
            failure.remedy = situation.unregisteredHint
        }
        return failure
    }
}

/// Who is signed in now.
struct SignInReport: Report, Encodable {
    var account: AccountMembers
    var authority: String
    var scopes: [String]
    var expiresOn: Date
    var isPersisted: Bool
    var isIdTokenSignatureVerified: Bool
    var correlationId: String

    func text(_ style: Style) -> TerminalText {
        style.good("✓") + " Signed in as " + style.strong(account.username)
    }

    var raw: String { account.username }
}

extension SignInReport {
    init(_ result: MSALResult) {
        self.init(
            account: AccountMembers(result.account),
            authority: result.authority.url.absoluteString,
            scopes: result.scopes,
            expiresOn: result.expiresOn ?? .distantPast,
            isPersisted: result.isPersisted && CacheTarget.lasts(),
            isIdTokenSignatureVerified: result.isIDTokenSignatureVerified,
            correlationId: result.correlationId.uuidString
        )
    }
}
