// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// Tells the user that the identity broker asks in a window.
enum BrokerParentWindow {
    private static let message = "Continue in the window of the identity broker…"

    /// Says that the window opens. On a terminal the line has a spinner until the sign-in is over; elsewhere it is
    /// written once.
    static func opens(_ line: WaitLine, terminal: Terminal = .errors) {
        if terminal.isInteractive {
            line.wait(for: .person(message))
        } else {
            terminal.write("\(message)")
        }
    }
}
