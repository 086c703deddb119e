// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// Starts the program that shows a page.
enum BrokerPageOpener {
    /// Starts the program without waiting for its end.
    ///
    /// - Throws: The error response to the call, with the reason.
    static func open(_ address: String, with command: [String]) throws(BrokerRefusal) {
        let environment = ProcessInfo.processInfo.environment
        guard let name = command.first, let program = ChildProcess.executable(name, in: environment) else {
            throw refusal("there is no program \(command.first ?? "in the command")")
        }
        let browser: ChildProcess
        do throws(ChildProcess.Failure) {
            browser = try .silent(
                program,
                arguments: command.dropFirst() + [address],
                environment: environment,
                errors: STDERR_FILENO
            )
        } catch {
            throw refusal(error.description)
        }
        // An exited process keeps its ID until a process waits for it.
        Thread.detachNewThread { _ = browser.wait() }
    }

    private static func refusal(_ reason: String) -> BrokerRefusal {
        BrokerRefusal(.unexpected, context: "The window's program could not be started: \(reason).")
    }
}
