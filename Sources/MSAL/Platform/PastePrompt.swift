// Licensed under the MIT License. See LICENSE.

/// The facts that the user needs to open the page elsewhere and to bring back its last address.
package struct PastePrompt: Sendable {
    /// The page, to be opened on any machine.
    let address: URL
    /// The redirect URI, on which the browser ends. Perhaps nothing listens there.
    let redirectURI: String
    /// The port of this machine that waits too; `nil` where the redirect URI does not lead to this machine, or where
    /// another program holds the port.
    let port: Int?
    /// The command that forwards the port from the user's own machine; `nil` outside of remote logins, and without a
    /// port.
    let forwardingCommand: String?
    /// The reason why the text before was not taken; `nil` the first time.
    let refusal: PastedRedirect.Refusal?
    /// The way that ``PasteResult/nextMode`` leads to, if there is one.
    package let nextMode: SignInMode?
}

/// The result of a prompt. It prints without its text, which may hold a code.
package enum PasteResult: Sendable, CustomStringConvertible, RedactedReflection {
    /// The user pasted this text.
    case text(String)
    /// The user wants the next way.
    case nextMode
    /// The user gives up.
    case cancel

    package var description: String {
        switch self {
        case .text: "a pasted text"
        case .nextMode: "the next way"
        case .cancel: "giving up"
        }
    }
}

/// Asks the user for the last address of a browser on another machine.
package struct PasteRequest: Sendable {
    package var nextMode: SignInMode?
    var ask: @Sendable (PastePrompt) async -> PasteResult
}
