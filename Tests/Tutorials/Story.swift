// Licensed under the MIT License. See LICENSE.

import Foundation

/// Presses a tutorial's buttons and reads what its own log view says.
///
/// The tutorial runs as it does in an app: on the main thread, with a run loop, its blocks called from anywhere.
struct Story {
    let name: String
    /// What the tutorial's log view shows now.
    let log: () -> String
    let callGraph: () -> Void
    let signOut: () -> Void

    /// The device that the tutorial runs on: `private` or `shared` with an identity broker whose user is signed in, else
    /// `none`.
    static let device = ProcessInfo.processInfo.environment["MSAL_TUTORIAL_DEVICE"] ?? "none"

    /// Waits until the tutorial has looked for its account. A device that is signed in has one.
    func waitForAccount() -> Bool {
        wait(for: Self.device == "none" ? "Account signed out" : "Found a signed in account")
    }

    /// - Returns: Whether the story went as the tutorial promises.
    func run() -> Bool {
        callGraph()
        guard wait(for: "Result from Graph", refusing: ["Could not", "Couldn't", "Unable"]) else { return false }
        guard log().contains("megan@contoso.example") else {
            print("\(name): Graph's answer does not name the user: \(log())")
            return false
        }
        signOut()
        return true
    }

    /// Runs the main loop until the log says `text`; a generous limit ends a story that hangs.
    func wait(for text: String, refusing failures: [String] = []) -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        while Date() < limit {
            RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            let shown = log()
            if shown.contains(text) {
                print("\(name): \(redacted(shown))")
                return true
            }
            if failures.contains(where: shown.contains) {
                print("\(name) failed: \(redacted(shown))")
                return false
            }
        }
        print("\(name): the log never said “\(text)”; it says: \(redacted(log()))")
        return false
    }

    /// Runs the main loop until `isTrue`, with the same limit.
    func wait(until isTrue: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        while Date() < limit {
            RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            if isTrue() { return true }
        }
        print("\(name): waited in vain; the log says: \(redacted(log()))")
        return false
    }

    /// The tutorials show the access token; a test's output does not.
    private func redacted(_ text: String) -> String {
        text.replacing(#/ey[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/#, with: "‹token›")
    }
}
