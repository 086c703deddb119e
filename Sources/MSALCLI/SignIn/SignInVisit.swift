// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// One sign-in of a person: what is asked for, by which way, and what the terminal shows meanwhile.
struct SignInVisit: Sendable {
    /// How long a person may take with a browser of this machine, and with one elsewhere.
    private static let patience = (here: Duration.seconds(300), elsewhere: Duration.seconds(900))

    /// `nil` unless somebody set it.
    var timeout: Duration?
    var prompt: Prompt?
    var loginHint: String?
    var claims: ClaimsChallenge?

    private let settings: Settings
    private let command: SignInCommand
    private let choice: WayChoice?
    private let opensBrowser: Bool
    private let canAsk: Bool
    private let listen: String?
    private let line = WaitLine()
    private let wait: BrowserWait
    private let watch: Watch

    /// - Parameters:
    ///   - settings: For which client, authority and scopes.
    ///   - command: The command line, for remedies.
    ///   - way: What the person chose.
    init(_ settings: Settings, command: SignInCommand, way: WayOptions) {
        self.settings = settings
        self.command = command
        choice = way.choice
        opensBrowser = !way.staysOutOfBrowser
        canAsk = !way.noInput && TerminalInput().isInteractive && Terminal.errors.isInteractive
        listen = way.listen
        watch = Watch(isUnattended: !canAsk && way.choice == nil && !way.staysOutOfBrowser)
        let hint = Situation(settings: settings).unregisteredHint
        wait = BrowserWait("to sign in", opensBrowser: opensBrowser, hint: hint, line: line)
    }

    /// The remedy if nobody came back from the browser.
    var hint: String? { wait.hint }

    /// The ways that would be tried, the best first.
    func plan() async throws -> MSALSignInPlan {
        let application = try await application()
        let parameters = try await parameters()
        return try await settings.connected { try await application.signInPlan(for: parameters) }
    }

    /// Signs in.
    ///
    /// - Throws: `Failure`; `CancellationError`, if the task was cancelled while the store was looked at.
    func result() async throws -> MSALResult {
        if choice == .paste, !canAsk {
            throw Failure.usage(
                "--way paste asks at the terminal, and there is none.",
                remedy: "Without a terminal: \(command.text) --use-device-code"
            )
        }
        line.wait(for: .keyring)
        try await CacheTarget.checkThatSignInsLast()
        let application = try await application()
        let parameters = try await parameters()
        line.wait(for: .network)
        let plan = try await explained { try await application.signInPlan(for: parameters) }
        guard !plan.ways.isEmpty else { throw noWay(plan) }
        warnOfListening()
        return try await settings.connected {
            try await explained { try await application.acquireToken(with: parameters) }
        }
    }

    /// Clears what the terminal shows meanwhile.
    func finish() async {
        await wait.finish()
    }

    private func application() async throws -> MSALPublicClientApplication {
        let needsOther = choice == .paste || choice == .deviceCode
        let hasBrowser = opensBrowser ? await !MSALMachine.current().launchers.isEmpty : false
        // Without a terminal nobody can paste, so the address is opened on this machine.
        let isHere = choice == .browser || !(opensBrowser || canAsk)
        return try settings.application(
            timeout: timeout ?? (needsOther || !(hasBrowser || isHere) ? Self.patience.elsewhere : Self.patience.here),
            opensBrowser: opensBrowser,
            mayAskToUnlock: true,
            listenAddress: listen
        )
    }

    private func parameters() async throws -> MSALInteractiveTokenParameters {
        let webview = MSALWebviewParameters()
        webview.landingPage = Self.landingPage
        // Without a browser the library would wait for somebody to open the address on this machine.
        let hasBrowser = await !MSALMachine.current().launchers.isEmpty
        if hasBrowser || !opensBrowser || choice == .browser {
            webview.onOpen = { [wait] in wait.opened($0) }
            webview.onLaunch = { [wait, watch] hasStarted in
                if hasStarted || !watch.givesUp() { wait.launched(hasStarted) }
            }
        }
        if canAsk {
            let conversation = PasteConversation(line: line)
            webview.onPaste = { await conversation.reply(to: $0) }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: settings.scopes, webviewParameters: webview)
        // A code needs nobody at this terminal, but somebody who reads it. So a job shows one only where it is asked to.
        if canAsk || choice == .deviceCode {
            let screen = DeviceCodeScreen(line: line)
            parameters.onDeviceCode = { screen.show($0) }
        }
        parameters.ways = choice?.ways
        parameters.promptType = prompt?.type ?? .default
        parameters.loginHint = loginHint
        parameters.claimsRequest = try claims?.request()
        return parameters
    }

    /// The command has no window to return to.
    private static var landingPage: MSALLandingPage {
        var page = MSALLandingPage(appName: "msal")
        page.signedIn = .init(heading: "You are signed in", text: "Close this tab and return to the terminal.")
        page.failed = .init(heading: "Sign-in did not complete", text: "Return to the terminal to try again.")
        return page
    }

    /// The failure of a machine on which no way works. A way that was named fails for its own reason.
    private func noWay(_ plan: MSALSignInPlan) -> Failure {
        guard choice != nil, let reason = plan.steps.first?.reason else {
            return .noWay(command, hasTerminal: TerminalInput().isInteractive)
        }
        return .file("The way that was chosen does not work here: \(reason).", remedy: "See: msal login --explain")
    }

    private func warnOfListening() {
        guard let listen, let url = URL(string: settings.redirectURI), let port = url.port else { return }
        line.wait(for: nil)
        Terminal.errors.write(
            """
            Whoever reaches port \(port) of \(listen) can connect to this sign-in. Only the response to it is taken, \
            but whose browser it comes from cannot be known. Publish the port to one machine, as in:
              docker run -p 127.0.0.1:\(port):\(port) …
            """
        )
    }

    /// An error of the library with the remedies for a sign-in.
    private func explained<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as NSError {
            guard !watch.hasGivenUp else { throw Failure.noWay(command, hasTerminal: TerminalInput().isInteractive) }
            let situation = Situation(settings: settings, signIn: command)
            var failure = Failure(error, in: situation)
            if prompt != nil, failure.serviceCodes.contains(90_023) {
                failure.remedy = "Check --prompt: this tenant does not take that value."
            }
            // The browser did not come back. The page may have shown an error without a redirect.
            if failure.status == .canceled, error.userInfo[MSALOAuthErrorKey] == nil {
                failure.remedy = situation.unregisteredHint
            }
            throw failure
        }
    }
}
