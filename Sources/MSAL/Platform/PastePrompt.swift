// Licensed under the MIT License. See LICENSE.

/// The facts that the user needs to open the page elsewhere and to bring back its last address.
package struct PastePrompt: Sendable {
    /// The page, to be opened on any machine.
    let address: URL
    /// The redirect URI, where the browser ends. There may be no listener.
    let redirectURI: String
    /// The port of this machine that waits too; `nil` where the redirect URI does not lead to this machine, or where
    /// another program holds the port.
    let port: Int?
    /// The command that forwards the port from the user's own machine; `nil` outside of remote logins, and without a
    /// port.
    let forwardingCommand: String?
    /// The reason why the previous text was rejected; `nil` the first time.
    let refusal: PastedRedirect.Refusal?
    /// The sign-in mode that ``PasteResult/nextMode`` selects, if there is one.
    package let nextMode: SignInMode?
}

/// The result of a prompt. It prints without its text, which may hold a code.
package enum PasteResult: Sendable, CustomStringConvertible, RedactedReflection {
    /// The user pasted this text.
    case text(String)
    /// The user asked for the next sign-in mode.
    case nextMode
    /// The user canceled.
    case cancel

    package var description: String {
        switch self {
        case .text: "a pasted text"
        case .nextMode: "the next mode"
        case .cancel: "giving up"
        }
    }
}

/// Asks the user for the last address of a browser on another machine.
package struct PasteRequest: Sendable {
    package var nextMode: SignInMode?
    var ask: @Sendable (PastePrompt) async -> PasteResult
}
