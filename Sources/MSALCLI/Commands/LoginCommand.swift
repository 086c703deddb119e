// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in.",
        usage: "msal login [options]",
        discussion: """
            On a device with an identity broker, the broker signs in, without a page if the device is signed in. \
            Otherwise the sign-in page opens in the browser, and msal waits for the redirect on a local port. If no \
            browser can be started, for example over SSH, msal shows a link to open on another machine and reads the \
            address where that browser ends up, or it shows a device code. --explain shows which sign-in mode is used \
            here, and why. Tokens are stored, not shown; the broker stores its own. At a terminal, the new account \
            becomes the active one, and msal shows how to switch back; otherwise the active account does not change.

            The app registration needs the redirect URI http://localhost, or the one in --redirect-uri. For a broker \
            it also needs:

              https://login.microsoftonline.com/common/oauth2/nativeclient

            EXAMPLES
              msal login
              msal login --profile contoso --scope "User.Read Mail.Read"
              msal login --prompt select_account --login-hint megan@contoso.example
              msal login --use-device-code
              msal login --mode broker
              msal login --listen 0.0.0.0 --port 8400
              msal login --claims '{"access_token":{"acrs":{"value":"c1"}}}'
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var redirect: RedirectOptions
    @OptionGroup var mode: SignInModeOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Listen for the browser on this address, for a container's published port. Needs a port.",
            valueName: "address"
        )
    )
    var listen: String?

    @Flag(help: "Show the available sign-in modes and the reasons, without signing in.")
    var explain = false

    @Option(help: "What to ask the user for. By default the service decides.")
    var prompt: PromptOption?

    @Option(help: ArgumentHelp("The user name to fill in.", valueName: "name"))
    var loginHint: String?

    @Option(help: ArgumentHelp(ClaimsChallenge.help, valueName: "claims"))
    var claims: String?

    @Option(
        help: ArgumentHelp(
            "How long to wait for the user; 300 by default, 900 for a browser on another machine.",
            valueName: "seconds"
        )
    )
    var timeout: Int?

    func validate() throws {
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout takes 1 to 86400 seconds, not \(timeout).")
        }
        guard listen == nil || mode.choice != .deviceCode else {
            throw ValidationError("--listen cannot be used with a device code.")
        }
    }

    func run() async throws {
        let settings = try Settings(client, scopes: scopes.scope, redirect: redirect)
        try settings.checkAuthority()
        var visit = SignInVisit(settings, command: signInCommand, mode: mode)
        visit.timeout = timeout.map { .seconds($0) }
        visit.prompt = prompt
        visit.loginHint = loginHint
        visit.claims = try ClaimsChallenge.parse(claims)
        visit.listen = listen
        if explain { return try output.show(try await visit.explanation()) }
        let prepared = visit
        let active = ActiveAccount(before: settings)
        let result: MSALResult
        do {
            result = try await canceledByInterrupt { try await prepared.result() }
        } catch is CancellationError {
            throw Failure.canceled(remedy: visit.hint)
        }
        var report = SignInReport(result)
        do {
            // A sign-in that is not stored ends with this command.
            if report.isPersisted {
                let change = try active.follow(result.account)
                (report.isDefault, report.formerDefault) = (change.isActive, change.former)
                report.undoCommand = change.former.map { AccountSetCommand.line($0, client: client) }
            }
        } catch {
            try output.show(report)
            throw error
        }
        try await output.show(report, isPersisted: report.isPersisted)
    }

    private var signInCommand: SignInCommand {
        var command = SignInCommand(client, scopes: scopes.scope, redirect: redirect)
        command.loginHint = loginHint
        return command
    }
}

/// The report of a sign-in.
struct SignInReport: Report, Encodable {
    var account: AccountMembers
    var authority: String
    var scopes: [String]
    var expiresOn: Date
    var isPersisted: Bool
    var isIdTokenSignatureVerified: Bool
    var correlationId: String
    /// Whether commands use this account unless another is named; `false` if the sign-in is not stored.
    var isDefault = false
    /// The account that was active before, if it is a different one.
    @ExplicitNull var formerDefault: String? = nil
    /// The command line that makes the former account active again.
    var undoCommand: String?

    func text(_ style: Style) -> TerminalText {
        let words = " Signed in as " + style.strong(account.username)
        // A sign-in that is not stored is lost when the command ends. The next lines say so.
        guard isPersisted else { return style.problem("✗") + words }
        guard let formerDefault, let undoCommand else { return style.good("✓") + words }
        return style.good("✓") + words + """

            This account is now active. To switch back to \(formerDefault):
              \(undoCommand)
            """
    }

    var raw: String { account.username }

    private enum CodingKeys: String, CodingKey {
        case account, authority, scopes, expiresOn, isPersisted, isIdTokenSignatureVerified, correlationId
        case isDefault, formerDefault
    }
}

extension SignInReport {
    init(_ result: MSALResult) {
        self.init(
            account: AccountMembers(result.account),
            authority: result.authority.url.absoluteString,
            scopes: result.scopes,
            expiresOn: result.expiresOn ?? .distantPast,
            isPersisted: result.isPersisted && CacheTarget.isPersistent(),
            isIdTokenSignatureVerified: result.isIDTokenSignatureVerified,
            correlationId: result.correlationId.uuidString
        )
    }
}
