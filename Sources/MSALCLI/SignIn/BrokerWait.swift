// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Writes one line while a command waits for an identity broker that does not respond.
enum BrokerWait {
    static let message = "Waiting for the identity broker, which has not responded yet…"

    /// Writes the line once, when the library posts its notification.
    static func begin() { began }

    private static let began: Void = {
        // The observer stays until the process ends.
        _ = NotificationCenter.default.addObserver(
            forName: NSNotification.Name(MSALBrokerIsWaitedFor),
            object: nil,
            queue: nil
        ) { _ in written }
    }()

    private static let written: Void = {
        // A line with a spinner may be on the screen.
        if Terminal.errors.isInteractive { Terminal.errors.clearLine() }
        Terminal.errors.write("\(message)")
    }()
}
