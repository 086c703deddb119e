// Licensed under the MIT License. See LICENSE.

/// The facts that the user needs to sign in with a browser elsewhere and to paste its last address here. Linux only.
public struct MSALPastePrompt: Sendable {
    /// The page, to be opened on any machine.
    public let address: URL
    /// The redirect URI, on which the browser ends. Say beforehand that the browser may show an error there: the user
    /// copies the address line and nothing else.
    public let redirectUri: String
    /// The port of this machine that waits too; `nil` where the redirect URI does not lead to this machine, or where
    /// another program holds the port.
    public let port: Int?
    /// The `ssh` command for the user's own machine that leads the port here: with it the browser comes back by itself.
    /// `nil` outside of remote logins, and without a port.
    public let portForwardingCommand: String?
    /// The reason why the text before was not taken, for people; `nil` the first time.
    public let refusal: String?
    /// The way that ``MSALPasteResult/nextWay`` leads to; `nil` if there is none.
    public let nextWay: MSALSignInWay?

    init(_ prompt: PastePrompt) {
        address = prompt.address
        redirectUri = prompt.redirectURI
        port = prompt.port
        portForwardingCommand = prompt.forwardingCommand
        refusal = prompt.refusal?.words
        nextWay = prompt.nextWay.map(MSALSignInWay.init)
    }
}

/// The result of an ``MSALPastePrompt``. It prints without its text. Linux only.
public enum MSALPasteResult: Sendable, CustomStringConvertible, ClosedMirror {
    /// The pasted text as it is. If it is not the address on which this sign-in ended, the user is asked again.
    case text(String)
    /// Try the next way. Without one this is ``cancel``.
    case nextWay
    /// Give up: the request fails with ``MSALError/userCanceled``.
    case cancel

    var core: PasteResult {
        switch self {
        case .text(let text): .text(text)
        case .nextWay: .nextWay
        case .cancel: .cancel
        }
    }

    /// The kind of result.
    public var description: String { "\(core)" }
}
