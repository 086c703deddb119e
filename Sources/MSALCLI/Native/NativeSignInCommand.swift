// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal native sign-in`
struct NativeSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign a customer in.",
        usage: "msal native sign-in <user> [--answers <file>] [options]",
        discussion: """
            The service decides what to ask for: a password, a code, a second factor, or a method to register. Only \
            one customer can be signed in at a time: the command names other signed-in users and signs them out if you \
            agree. --yes agrees in advance. Without a terminal, or with --answers, the command cannot ask and fails \
            without --yes. The same applies to sign-up and reset-password, which sign in at the end.

            EXAMPLES
              msal native sign-in megan@contoso.example
              msal native sign-in megan@contoso.example --answers answers.json -o json
              msal native sign-in megan@contoso.example --v2
            """
    )

    @OptionGroup var native: NativeOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let isV2 = native.v2
        let user = try await native.conversation(client, scopes: scopes.scope) { conversation in
            try await isV2 ? conversation.signInV2() : conversation.signIn()
        }
        let report = NativeReport(.signedIn, username: native.user, user: user)
        try await output.show(report, isPersisted: report.isPersisted ?? true)
    }
}

extension NativeOptions {
    /// Runs a flow that Ctrl-C can cancel, and turns the errors of the flow into the command's failures.
    ///
    /// - Parameters:
    ///   - client: The flags for the client and the authority.
    ///   - scopes: The scopes of the sign-in.
    ///   - staysSignedOut: Whether the flow must not sign the user in. Then it cannot continue in the browser either.
    ///   - flow: The flow to run.
    /// - Returns: What `flow` returns.
    /// - Throws: `Failure`, `NSError` from the library, `CancellationError`.
    func conversation<Value: Sendable>(
        _ client: ClientOptions,
        scopes: [String],
        staysSignedOut: Bool = false,
        flow: @escaping @Sendable (NativeConversation) async throws -> Value
    ) async throws -> Value {
        let settings = try Settings(client, scopes: scopes, redirect: redirect)
        let line = WaitLine()
        let prompter = try prompter(line)
        // No browser, because a browser would sign the user in.
        let browserWait =
            browser && !staysSignedOut
            ? BrowserWait("to continue", hint: RemedyContext(settings: settings).unregisteredHint, line: line) : nil
        let conversation = NativeConversation(
            application: try settings.nativeApplication(mayAskToUnlock: !input.noInput),
            prompter: prompter,
            user: user,
            scopes: settings.chosenScopes,
            staysSignedOut: staysSignedOut,
            browserWait: browserWait
        )
        let isAgreed = yes
        do {
            return try await line.during(.keyring(mayAsk: !input.noInput)) {
                try await settings.connected {
                    try await canceledByInterrupt {
                        if !staysSignedOut { try await conversation.announceSignOut(isAgreed: isAgreed) }
                        line.wait(for: .network)
                        return try await flow(conversation)
                    }
                }
            }
        } catch let error as MSALNativeAuthStepError {
            var failure = Failure(error)
            if failure.status == .canceled { failure.remedy = browserWait?.hint }
            throw failure
        } catch is CancellationError {
            throw Failure.canceled(remedy: browserWait?.hint)
        }
    }
}
