// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Shows a link for a browser on another machine, and reads the address on which that browser ended. If the user
/// presses one key, the device code comes next.
struct PasteConversation: Sendable {
    /// The key that leads to the device code. No redirect's address is this one letter.
    private static let key = UInt8(ascii: "d")

    let line: WaitLine
    var terminal = Terminal.errors
    var input = TerminalInput()

    /// The user's reply. The pasted text is not shown, because it holds a code.
    func reply(to prompt: MSALPastePrompt) async -> MSALPasteResult {
        line.wait(for: nil)
        if let refusal = prompt.refusal {
            terminal.write("\(refusal)")
        } else {
            terminal.write(Self.invitation(prompt))
        }
        let hasCode = prompt.nextMode == .deviceCode
        let question: TerminalText = hasCode ? "Address (d: device code): " : "Address: "
        let pasted = try? await input.pasted(key: hasCode ? Self.key : nil) { [terminal] count in
            terminal.clearLine()
            terminal.ask(count == 0 ? question : question + "(\(count) bytes)")
        }
        // Every case ends the line of the question.
        terminal.write("")
        // Without a text, the browser returned by itself, or the command was canceled.
        guard let pasted else { return .cancel }
        switch pasted {
        case .text(let text):
            line.wait(for: .network)
            return .text(text.exposed)
        case .key:
            line.wait(for: .network)
            return .nextMode
        case .end: return .cancel
        }
    }

    /// The instructions for the user. The lines are short, except the two that the user copies as a whole.
    static func invitation(_ prompt: MSALPastePrompt) -> TerminalText {
        var text: TerminalText = """
            Open this link on any machine:

              \(prompt.address.absoluteString)

            Sign in there. The browser then ends up on
              \(prompt.redirectUri)
            An error page there is fine: copy the
            whole address and paste it here.

            """
        if let command = prompt.portForwardingCommand {
            text =
                text + """

                    Or let it return by itself. Run this
                    on your own machine before you sign in:
                      \(command)

                    """
        }
        return text
    }
}
