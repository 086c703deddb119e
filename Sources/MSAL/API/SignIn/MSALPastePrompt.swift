// Licensed under the MIT License. See LICENSE.

/// What the user needs to know to sign in with a browser on another machine and to paste its last address here. Linux
/// only.
public struct MSALPastePrompt: Sendable {
    /// The page to open, on any machine.
    public let address: URL
    /// The redirect URI at which the browser ends. Tell the user in advance that the browser may show an error there,
    /// and to copy only the address.
    public let redirectUri: String
    /// The port of this machine that is also waiting; `nil` if the redirect URI does not lead to this machine, or if
    /// another program uses the port.
    public let port: Int?
    /// The `ssh` command for the user's own machine that forwards the port here, so that the browser returns
    /// automatically. `nil` outside of SSH sessions, and without a port.
    public let portForwardingCommand: String?
    /// The reason why the previous text was not accepted, for people; `nil` the first time.
    public let refusal: String?
    /// The sign-in mode that ``MSALPasteResult/nextMode`` leads to; `nil` if there is none.
    public let nextMode: MSALSignInMode?

    init(_ prompt: PastePrompt) {
        address = prompt.address
        redirectUri = prompt.redirectURI
        port = prompt.port
        portForwardingCommand = prompt.forwardingCommand
        refusal = prompt.refusal?.explanation
        nextMode = prompt.nextMode.map(MSALSignInMode.init)
    }
}

/// The result of an ``MSALPastePrompt``. Its description omits the text. Linux only.
public enum MSALPasteResult: Sendable, CustomStringConvertible, RedactedReflection {
    /// The pasted text, unchanged. If it is not the address at which this sign-in ended, the user is asked again.
    case text(String)
    /// Try the next sign-in mode. If there is none, this means ``cancel``.
    case nextMode
    /// Cancel: the request fails with ``MSALError/userCanceled``.
    case cancel

    var core: PasteResult {
        switch self {
        case .text(let text): .text(text)
        case .nextMode: .nextMode
        case .cancel: .cancel
        }
    }

    /// The kind of result.
    public var description: String { "\(core)" }
}
