// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import Synchronization

/// One sign-in of a user: what is requested, which sign-in mode is used, and what the terminal shows.
struct SignInVisit: Sendable {
    /// How long a person may take with a browser on this machine, and with a browser on another one.
    private static let timeouts = (here: Duration.seconds(300), elsewhere: Duration.seconds(900))

    /// The user's limit; `nil` if the user set none.
    var timeout: Duration?
    var prompt: PromptOption?
    var loginHint: String?
    var claims: ClaimsChallenge?

    /// The address at which to wait for the browser. Without it, only this machine can reach the address.
    var listen: String?

    private let settings: Settings
    private let command: SignInCommand
    private let choice: SignInModeChoice?
    private let opensBrowser: Bool
    private let input: InputOptions
    private let line = WaitLine()
    private let wait: BrowserWait
    private let attendance: AttendanceMonitor

    /// - Parameters:
    ///   - settings: The client, the authority and the scopes.
    ///   - command: The command line, for remedies.
    ///   - mode: The sign-in mode that the user chose.
    init(_ settings: Settings, command: SignInCommand, mode: SignInModeOptions) {
        self.settings = settings
        self.command = command
        choice = mode.choice
        opensBrowser = !mode.staysOutOfBrowser
        input = mode.input
        let isAnswered = mode.input.canAsk && Terminal.errors.isInteractive
        attendance = AttendanceMonitor(isUnattended: !isAnswered && mode.choice == nil && !mode.staysOutOfBrowser)
        let hint = RemedyContext(settings: settings).unregisteredHint
        wait = BrowserWait("to sign in", opensBrowser: opensBrowser, hint: hint, line: line)
    }

    /// The remedy if the browser did not come back.
    var hint: String? { wait.hint }

    /// Whether authorities of this kind support device codes.
    var hasDeviceCodes: Bool { !settings.hasUserFlows }

    /// Whether the user can paste an address. The terminal then shows how much was pasted, and for that the cursor must
    /// move.
    private var canAsk: Bool { input.canAsk && Terminal.errors.isInteractive }

    /// The sign-in modes that would be tried, the best first.
    func plan() async throws -> MSALSignInPlan {
        let attempt = try attempt(on: await MSALMachine.current())
        return try await settings.connected { try await attempt.plan() }
    }

    /// The plan as text.
    func explanation() async throws -> SignInPlanReport {
        var report = SignInPlanReport(try await plan())
        guard !canAsk else { return report }
        report.replace(
            input.noInput
                ? "--no-input forbids prompting for the address"
                : "there is no terminal to paste an address into",
            ofImpossible: .paste
        )
        guard choice == nil, hasDeviceCodes else { return report }
        let absence = input.noInput ? "--no-input forbids it" : "there is no terminal to show a code on"
        report.replace("\(absence); --use-device-code shows a code anyway", ofImpossible: .deviceCode)
        return report
    }

    /// Signs in. At the end the lines that the sign-in shows on the terminal are cleared.
    ///
    /// - Throws: `Failure`; `CancellationError`, if the task was canceled while the store was checked.
    func result() async throws -> MSALResult { try await wait.ending { try await signIn() } }

    private func signIn() async throws -> MSALResult {
        if choice == .paste, !canAsk {
            throw Failure.usage(
                "--mode paste needs a terminal.",
                remedy: "Without a terminal: \(command.text) --use-device-code"
            )
        }
        let port = try listen.map { _ throws(Failure) in try Self.publishedPort(of: settings.redirectURI) }
        let attempt = try await storing { try self.attempt(on: await MSALMachine.current()) }
        // The plan asks the user nothing. So a job without a usable sign-in mode fails before a keyring asks for its
        // password.
        let plan = try await explained { try await attempt.plan() }
        guard !plan.modes.isEmpty else { throw try await noSignInMode(plan, attempt: attempt) }
        try await checkThatSignInsLast()
        if let listen, let port { warnOfListening(at: listen, port: port) }
        line.wait(for: .network)
        return try await settings.connected {
            do {
                return try await explained { try await attempt.application.acquireToken(with: attempt.parameters) }
            } catch  where attendance.hasCanceled {
                throw try await noSignInMode(plan, attempt: attempt)
            }
        }
    }

    /// The port that a container publishes. It must be known before the container starts.
    ///
    /// - Throws: `Failure` with the status `usage`, if the redirect URI names no port of this machine.
    static func publishedPort(of redirectURI: String) throws(Failure) -> Int {
        guard let url = URL(string: redirectURI), url.scheme?.lowercased() == "http", let port = url.port,
            ServiceHost(url)?.isLoopback == true
        else {
            throw .usage(
                "--listen needs a fixed port, and the redirect URI is \(redirectURI).",
                remedy: "Pass --port with the published port."
            )
        }
        return port
    }

    /// One attempt to sign in.
    private struct Attempt {
        let application: MSALPublicClientApplication
        let parameters: MSALInteractiveTokenParameters

        func plan() async throws -> MSALSignInPlan { try await application.signInPlan(for: parameters) }
    }

    private func attempt(on machine: MSALMachine) throws -> Attempt {
        let hasBrowser = opensBrowser && !machine.launchers.isEmpty
        // Without a terminal, no address can be pasted, so the page is opened on this machine.
        let isHere = choice == .browser || !(opensBrowser || canAsk)
        let isElsewhere = choice == .paste || choice == .deviceCode || !(hasBrowser || isHere)
        let application = try settings.application(
            timeout: timeout ?? (isElsewhere ? Self.timeouts.elsewhere : Self.timeouts.here),
            opensBrowser: opensBrowser,
            mayAskToUnlock: !input.noInput,
            listenAddress: listen
        )
        let webview = MSALWebviewParameters()
        webview.landingPage = Self.landingPage
        // Without a browser, the library would wait until the user opens the address on this machine.
        if hasBrowser || !opensBrowser || choice == .browser {
            webview.onOpen = { [wait] in wait.opened($0) }
            webview.onLaunch = { [wait, attendance] hasStarted in
                if hasStarted || !attendance.cancelIfUnattended() { wait.launched(hasStarted) }
            }
        }
        webview.onRedirect = { [wait] in wait.returned() }
        webview.onBroker = { [line] in line.wait(forPerson: "Continue in the window of the identity broker…") }
        if canAsk {
            let conversation = PasteConversation(line: line)
            webview.onPaste = { await conversation.reply(to: $0) }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: settings.scopes, webviewParameters: webview)
        // A device code needs no input at this terminal, but a user must read it. So a job shows one only if the user
        // chose it.
        if canAsk || choice == .deviceCode {
            let screen = DeviceCodeScreen(line: line)
            parameters.onDeviceCode = { screen.show($0) }
        }
        parameters.modes = choice?.modes
        parameters.promptType = prompt?.type ?? .default
        parameters.loginHint = loginHint
        parameters.claimsRequest = try claims?.request()
        return Attempt(application: application, parameters: parameters)
    }

    /// The page after the sign-in has no link back to the command, because the command has no window.
    private static var landingPage: MSALLandingPage {
        var page = MSALLandingPage(appName: "msal")
        page.signedIn = .init(heading: "You are signed in", text: "Close this tab and return to the terminal.")
        page.failed = .init(heading: "Sign-in did not complete", text: "Return to the terminal to try again.")
        return page
    }

    /// Checks whether the sign-in will be stored, before the user signs in for nothing.
    private func checkThatSignInsLast() async throws {
        line.wait(for: .keyring(mayAsk: !input.noInput))
        try await CacheTarget.checkThatSignInsLast(mayAskToUnlock: !input.noInput)
        line.wait(for: nil)
    }

    /// If there is no place for a store, the error says that the sign-in would not last.
    private func storing<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            if (error as NSError).storeFailure != nil { try await checkThatSignInsLast() }
            throw error
        }
    }

    /// The failure if no sign-in mode works on this machine. If the user chose a mode, the failure has its reason.
    private func noSignInMode(_ plan: MSALSignInPlan, attempt: Attempt) async throws -> Failure {
        guard choice == nil else {
            let reason = plan.steps.first?.reason ?? "\(plan.machine)"
            return .file(
                "The selected sign-in mode does not work here: \(reason).",
                remedy: "See: msal login --explain"
            )
        }
        attempt.parameters.onDeviceCode = { _ in }
        let hasCodes = try await attempt.plan().modes.contains(.deviceCode)
        return .noSignInMode(command, hasTerminal: InputOptions.hasTerminal, hasDeviceCodes: hasCodes)
    }

    private func warnOfListening(at address: String, port: Int) {
        line.wait(for: nil)
        Terminal.errors.write(
            """
            Every machine that can reach port \(port) of \(address) can connect to this sign-in. Only the response to \
            this sign-in is accepted, but the browser that sends it cannot be verified. Publish the port to one \
            machine, as in:
              docker run -p 127.0.0.1:\(port):\(port) …
            """
        )
    }

    /// Runs `work`, and gives an error of the library the remedies for a sign-in.
    private func explained<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as NSError {
            let remedyContext = RemedyContext(settings: settings, signIn: command)
            var failure = Failure(error, in: remedyContext)
            if prompt != nil, failure.serviceCodes.contains(90_023) {
                failure.remedy = "Check --prompt: this tenant does not accept that value."
            }
            // Policies forbid device codes more often than browsers. So the remedy names the other modes.
            let refusal = error.userInfo[MSALOAuthErrorKey] as? String
            if choice == .deviceCode, ["invalid_grant", "interaction_required"].contains(refusal) {
                let modes =
                    "The tenant may forbid device codes. Other modes: \(command.text), with --mode browser or --mode "
                    + "paste."
                failure.remedy = [failure.remedy, modes].compactMap(\.self).joined(separator: " ")
            }
            // The browser did not come back. Perhaps the page showed an error and did not redirect.
            if failure.status == .canceled, error.userInfo[MSALOAuthErrorKey] == nil {
                failure.remedy = remedyContext.unregisteredHint
            }
            throw failure
        }
    }
}

/// Tracks whether a sign-in is attended. An unattended sign-in ends if no browser could be started, because no user
/// would open the page.
final class AttendanceMonitor: Sendable {
    private let isUnattended: Bool
    private let isOver = Mutex(false)

    /// - Parameter isUnattended: Whether the command cannot prompt, and the user did not choose how to sign in.
    init(isUnattended: Bool) { self.isUnattended = isUnattended }

    /// Whether this object ended the sign-in.
    var hasCanceled: Bool { isOver.withLock { $0 } }

    /// Called after the browser failed to start. Ends an unattended sign-in.
    ///
    /// - Returns: Whether the sign-in was ended.
    func cancelIfUnattended() -> Bool {
        guard isUnattended else { return false }
        isOver.withLock { $0 = true }
        _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
        return true
    }
}
