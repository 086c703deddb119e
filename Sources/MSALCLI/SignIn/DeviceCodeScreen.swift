// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Shows a device code. If the terminal is wide enough, a QR code of the page's address follows.
struct DeviceCodeScreen: Sendable {
    let line: WaitLine
    var terminal = Terminal.errors

    /// Shows a state of the sign-in. It may be called on any thread.
    func show(_ state: MSALDeviceCodeState) {
        switch state.kind {
        case .code:
            guard let code = state.code else { return }
            line.wait(for: nil)
            let width = terminal.isInteractive ? terminal.width ?? 80 : 0
            terminal.write(Self.text(code, now: .now, width: width, style: Style(terminal)))
            line.wait(for: .person("Waiting for you to enter the code…"))
        case .unreachable:
            line.wait(for: nil)
            terminal.write("The service is busy or cannot be reached. Trying again.")
            line.wait(for: .person("Waiting for you to enter the code…"))
        case .refused:
            line.wait(for: nil)
            let words = state.error.map(\.userMessage) ?? "The service did not accept it."
            terminal.write("The code was rejected: \(words)\nYou can still paste an address from a browser.\n")
        default: break
        }
    }

    /// The page, the code and how long the code is valid. `width` is the number of characters in a line. If the QR code
    /// does not fit, it is left out.
    static func text(_ code: MSALDeviceCode, now: Date, width: Int, style: Style) -> TerminalText {
        let page = code.verificationUriComplete ?? code.verificationUri
        let minutes = Int((code.expiresOn.timeIntervalSince(now) / 60).rounded())
        var parts: [TerminalText] = [
            "Open this page on any machine:\n\n  \(code.verificationUri.absoluteString)",
            "Enter this code there:\n\n  \(style.strong(code.userCode))",
        ]
        if let picture = QRPicture(page.absoluteString, width: width) { parts.append(picture.text(style)) }
        parts.append("It expires in \(minutes) minutes.\n")
        return parts.joined(separator: "\n\n")
    }
}
