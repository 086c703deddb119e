// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The one line of a command that waits for an identity broker that does not respond.
enum BrokerWait {
    static let message = "Waiting for the identity broker, which has not responded yet…"

    /// Writes the line when the library says so, once.
    static func begin() { began }

    private static let began: Void = {
        // It lasts as long as the process.
        _ = NotificationCenter.default.addObserver(
            forName: NSNotification.Name(MSALBrokerIsWaitedFor),
            object: nil,
            queue: nil
        ) { _ in written }
    }()

    private static let written: Void = {
        // A line that turns may stand there.
        if Terminal.errors.isInteractive { Terminal.errors.clearLine() }
        Terminal.errors.write("\(message)")
    }()
}
