// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Shows the link to open elsewhere, and takes the address on which the browser ended. On one key it goes on to the
/// device code.
struct PasteConversation: Sendable {
    /// The key that goes on to the device code. No address of a redirect begins with it alone.
    private static let key = UInt8(ascii: "d")

    let line: WaitLine
    var terminal = Terminal.errors
    var input = TerminalInput()

    /// The user's reply. The pasted text does not show: it holds a code.
    func reply(to prompt: MSALPastePrompt) async -> MSALPasteResult {
        line.wait(for: nil)
        if let refusal = prompt.refusal {
            terminal.write("\(refusal)")
        } else {
            terminal.write(Self.invitation(prompt))
        }
        let hasCode = prompt.nextWay == .deviceCode
        let question: TerminalText = hasCode ? "Address (d: device code): " : "Address: "
        let pasted = try? await input.pasted(key: hasCode ? Self.key : nil) { [terminal] count in
            terminal.clearLine()
            terminal.ask(count == 0 ? question : question + "(\(count) bytes)")
        }
        // The question's own line ends here, whatever follows.
        terminal.write("")
        // Without one the browser came back by itself, or the command was cancelled.
        guard let pasted else { return .cancel }
        switch pasted {
        case .text(let text):
            line.wait(for: .network)
            return .text(text.exposed)
        case .key:
            line.wait(for: .network)
            return .nextWay
        case .end: return .cancel
        }
    }

    /// The instructions for the user. Short lines, but for the two that are copied whole.
    static func invitation(_ prompt: MSALPastePrompt) -> TerminalText {
        var text: TerminalText = """
            Open this link on any machine:

              \(prompt.address.absoluteString)

            Sign in there. The browser then ends on
              \(prompt.redirectUri)
            An error page there is fine: copy the
            whole address and paste it here.

            """
        if let command = prompt.portForwardingCommand {
            text =
                text + """

                    Or let it come back by itself. Run this
                    on your own machine before you sign in:
                      \(command)

                    """
        }
        return text
    }
}
