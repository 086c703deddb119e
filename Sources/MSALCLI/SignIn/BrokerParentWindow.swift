// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// The window in which the identity broker asks the person.
enum BrokerParentWindow {
    private static let message = "Continue in the window of the identity broker…"

    /// Says that it opens. On a terminal the line turns until the sign-in is over; elsewhere it is written once.
    static func opens(_ line: WaitLine, terminal: Terminal = .errors) {
        if terminal.isInteractive {
            line.wait(for: .person(message))
        } else {
            terminal.write("\(message)")
        }
    }
}
