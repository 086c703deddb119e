// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Synchronization

/// Shows that a page is open in the browser and that the command waits for it.
///
/// Pass `opened`, `launched` and `returned` to the web view parameters `onOpen`, `onLaunch` and `onRedirect`. On a
/// terminal the line has a spinner until ``ending(after:)`` returns; elsewhere it is written once.
final class BrowserWait: Sendable {
    private static let message = "Waiting for the browser…"
    private static let waitingMessage = "Waiting for you to open the address…"

    private let purpose: String
    private let opensBrowser: Bool
    private let terminal: Terminal
    private let line: WaitLine
    private let pageHint: String?
    private let showsLink: Bool
    private let address = Mutex<URL?>(nil)

    /// - Parameters:
    ///   - purpose: The purpose of the page, such as "to sign in".
    ///   - opensBrowser: Whether the command starts a browser; otherwise the user opens the page.
    ///   - hint: The advice for an error that only the page shows.
    ///   - terminal: Where the text is written.
    ///   - line: The command's wait line, if it has one already.
    ///   - environment: Holds `MSAL_LINK`. The value `no` says that the started browser does show the page.
    init(
        _ purpose: String,
        opensBrowser: Bool = true,
        hint: String? = nil,
        terminal: Terminal = .errors,
        line: WaitLine? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.purpose = purpose
        self.opensBrowser = opensBrowser
        pageHint = hint
        showsLink = environment["MSAL_LINK"]?.lowercased() != "no"
        self.terminal = terminal
        self.line = line ?? WaitLine(terminal)
    }

    /// The remedy if the browser does not come back: the page may show an error that the command never gets. `nil` if
    /// no page was opened.
    var hint: String? { address.withLock { $0 == nil ? nil : pageHint } }

    /// Stores the page's address until it is known whether a browser was started.
    func opened(_ url: URL) { address.withLock { $0 = url } }

    /// Shows the page's address, even if a browser was started: the command cannot know whether the browser shows a
    /// window. The program that started the command may know it, and sets `MSAL_LINK`.
    func launched(_ hasStarted: Bool) {
        guard let url = address.withLock({ $0 }) else { return }
        line.wait(for: nil)
        if showsLink || !hasStarted || !opensBrowser {
            terminal.write("\(invitation(hasStarted))\n\n  \(url.absoluteString)\n")
        }
        line.wait(forPerson: hasStarted && opensBrowser ? Self.message : Self.waitingMessage)
    }

    private func invitation(_ hasStarted: Bool) -> String {
        switch (opensBrowser, hasStarted) {
        case (true, true): "Opened the browser \(purpose). If no page appears, open this address on this machine:"
        case (true, false): "No browser could be started. Open this address in a browser on this machine \(purpose):"
        case (false, _): "Open this address in a browser on this machine \(purpose):"
        }
    }

    /// Tells the user that the browser has returned, and what the command waits for now.
    func returned() { line.wait(for: .network) }

    /// Runs work, and clears the line of the spinner when the work is done or has failed.
    ///
    /// - Throws: What `work` throws.
    func ending<Value>(after work: () async throws -> Value) async throws -> Value {
        try await line.ending(after: work)
    }
}
