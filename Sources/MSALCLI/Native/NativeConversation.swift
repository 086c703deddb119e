// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// One flow of native authentication. It passes the service's questions to the user, and the answers to the service.
struct NativeConversation: Sendable {
    let application: MSALNativeAuthPublicClientApplication
    let prompter: any Prompter
    let user: String
    let scopes: [String]
    /// Whether the flow must not sign the user in. Then it cannot continue in the browser either.
    let staysSignedOut: Bool
    /// Shows that the browser is open; `nil` if the command may not continue in a browser.
    let browserWait: BrowserWait?

    /// Names the other accounts that a sign-in of native authentication signs out, and asks whether to continue.
    ///
    /// - Parameter isAgreed: Whether the user agreed before. Then the command only names the accounts.
    /// - Throws: `Failure` with the status `canceled` if the person at the terminal says no; with `usage` if the user
    ///   did not agree before and the command cannot ask.
    func announceSignOut(isAgreed: Bool) async throws {
        // If the store cannot be read now, no account can be named. The sign-in reports what is wrong with it.
        let accounts = (try? application.allAccounts()) ?? []
        let others = accounts.map(AccountChoice.label).filter { $0.lowercased() != user.lowercased() }
        guard !others.isEmpty else { return }
        if isAgreed {
            prompter.show("Signing out \(others.joined(separator: ", ")).")
        } else if try await !prompter.maySignOut(others, for: user) {
            throw Failure.canceled("No account was signed out or in.")
        }
    }

    /// Signs the user in.
    ///
    /// - Throws: `Failure`; `MSALNativeAuthStepError` for the last refusal of the service; `CancellationError`.
    func signIn() async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParameters(username: user)
        parameters.scopes = scopes
        return try await follow(try await application.signIn(parameters: parameters))
    }

    /// Handles the steps of a sign-in until it ends.
    func follow(_ first: MSALNativeAuthSignInStep) async throws -> MSALNativeAuthUserAccountResult {
        var step = first
        while true {
            switch step {
            case .completed(let account):
                return account
            case .passwordRequired(let state):
                step = try await asking(.password) {
                    try await prompter.password(of: user)
                } submit: {
                    try await state.submit(password: $0.exposed)
                }
            case .codeRequired(let state):
                step = try await enteringCode(state.delivery, submit: state.submit(code:), resend: state.resendCode)
            case .mfaRequired(let state):
                step = try await secondFactor(state.authMethods, submit: state.requestChallenge(authMethod:))
            case .mfaCodeRequired(let state):
                step = try await enteringCode(state.delivery) {
                    try await state.submit(challenge: $0)
                } resend: {
                    try await secondFactor(state.authMethods, submit: state.requestChallenge(authMethod:))
                }
            case .registrationRequired(let state):
                step = try await registering(state.authMethods) {
                    try await state.challengeAuthMethod($0, verificationContact: $1)
                }
            case .registrationCodeRequired(let state):
                step = try await enteringCode(state.delivery) {
                    try await state.submit(challenge: $0)
                } resend: {
                    try await registering(state.authMethods) {
                        try await state.challengeAuthMethod($0, verificationContact: $1)
                    }
                }
            case .browserRequired(let handover):
                return try await continueInBrowser(handover)
            }
        }
    }

    /// Signs the user in through the browser, if the command may open one.
    func continueInBrowser(_ handover: MSALNativeAuthBrowserHandover) async throws -> MSALNativeAuthUserAccountResult {
        guard let browserWait else { throw Failure.browserRequired(handover, staysSignedOut: staysSignedOut) }
        prompter.show("The service requires the browser to continue.")
        let webview = MSALWebviewParameters()
        webview.onOpen = { browserWait.opened($0) }
        webview.onLaunch = { browserWait.launched($0) }
        webview.onRedirect = { browserWait.returned() }
        return try await browserWait.ending { try await handover.signIn(with: webview) }
    }
}
