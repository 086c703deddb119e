// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

extension SystemBrowserAgent {
    /// The number of wrong texts after which the visit fails. Without a limit, an app that always returns the same text
    /// would be asked indefinitely.
    private static let maximumPrompts = 20

    /// Asks the app for the address at which the browser ended, until the visit ends.
    ///
    /// - Returns: The task that asks. Cancel it when the visit ends. It is not awaited: an app that does not notice the
    ///   cancellation of its prompt must not delay a completed sign-in.
    func ask(
        _ paste: PasteRequest,
        for visit: AuthorizationVisit,
        page: URL,
        redirectURI: String,
        port: Int?,
        session: LoopbackSession
    ) -> Task<Void, Never>? {
        guard let redirect = URL(string: redirectURI) else { return nil }
        let judge = PastedRedirect(redirectURI: redirect, page: page, expectedState: visit.expectedState)
        let command = port.flatMap { SignInEnvironment(environment: environment).forwardingCommand(port: $0) }
        return Task {
            var refusal: PastedRedirect.Refusal?
            for _ in 0..<Self.maximumPrompts where !Task.isCancelled {
                let prompt = PastePrompt(
                    address: page,
                    redirectURI: redirectURI,
                    port: port,
                    forwardingCommand: command,
                    refusal: refusal,
                    nextMode: paste.nextMode
                )
                switch await paste.ask(prompt) {
                case .text(let text):
                    do throws(PastedRedirect.Refusal) {
                        return session.outcome.settle(.success(try judge.parameters(in: text)))
                    } catch {
                        refusal = error
                    }
                case .nextMode where paste.nextMode != nil: return session.outcome.settle(.failure(.declined))
                case .nextMode, .cancel: return session.outcome.settle(.failure(.canceledByUser))
                }
            }
            session.outcome.settle(.failure(.nothingUsablePasted))
        }
    }
}

extension AgentError {
    fileprivate static let declined = AgentError(.declined, message: "The user chose another way to sign in.")
    fileprivate static let canceledByUser = AgentError(.canceled, message: "The user gave up.")
    fileprivate static let nothingUsablePasted = AgentError(
        .invalidResponse,
        message: "None of the pasted texts was the address on which this sign-in ended. Start again."
    )
}
