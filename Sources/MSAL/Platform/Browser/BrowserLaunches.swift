// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The remaining launchers for one page.
struct BrowserLaunches: Sendable {
    /// A launcher. `opensUsualWindow` is true if a private window was requested and this launcher opens a regular one.
    enum Launcher: Sendable {
        /// A command line without the page's URL.
        case program([String], opensUsualWindow: Bool)
        /// The desktop portal.
        case portal(opensUsualWindow: Bool)

        var opensUsualWindow: Bool {
            switch self {
            case .program(_, let opensUsualWindow), .portal(let opensUsualWindow): opensUsualWindow
            }
        }

        var isPortal: Bool { if case .portal = self { true } else { false } }
    }

    /// The page to open.
    struct Page: Sendable {
        /// The portal receives this URL over the bus.
        var url: URL
        /// A URL that leads to the page, for programs.
        var start: URL?
        var parentWindow: String?

        /// Whether the URL is a web page. Another scheme could make a desktop start any program.
        var isWeb: Bool { [url, start ?? url].allSatisfy { ["http", "https"].contains($0.scheme?.lowercased()) } }

        /// The command line with the URL, which replaces `%s` or is appended. Inside single quotes, its apostrophes are
        /// escaped.
        func line(_ words: [String]) -> [String] {
            let address = (start ?? url).absoluteString
            let quoted = "'\(address.replacing("'", with: "%27"))'"
            return words.contains { $0.contains("%s") }
                ? words.map { $0.replacing("'%s'", with: quoted).replacing("%s", with: address) }
                : words + [address]
        }
    }

    let page: Page
    /// The launchers in the order in which to try them.
    private(set) var launchers: ArraySlice<Launcher>
    /// The launcher that was started last.
    private(set) var current: Launcher?
    /// Called before a launcher opens a regular window instead of a private one.
    var onUsualWindow: (@Sendable () -> Void)?
    private let environment: [String: String]
    /// Yields the exit status of the program that was started last.
    private var end: AsyncStream<Int32>?

    init(_ launchers: [Launcher], of page: Page, environment: [String: String]) {
        self.launchers = launchers[...]
        self.page = page
        self.environment = environment
    }

    /// The launcher that was started last, for another page.
    func repeated(for url: URL) -> BrowserLaunches {
        let page = Page(url: url, parentWindow: page.parentWindow)
        return BrowserLaunches([current].compactMap(\.self), of: page, environment: environment)
    }

    /// Starts the next launcher that works.
    mutating func next() async -> BrowserLauncher.Outcome {
        (current, end) = (nil, nil)
        while let launcher = launchers.popFirst() {
            if launcher.opensUsualWindow, let onUsualWindow {
                onUsualWindow()
                guard !Task.isCancelled else { return .canceled }
            }
            switch launcher {
            case .program(let words, _):
                guard start(page.line(words)) else { continue }
            case .portal:
                let portal = DesktopPortal(environment: environment)
                switch await portal.open(page.url, parentWindow: page.parentWindow) {
                case .started: break
                case .canceled: return .canceled
                case .unavailable: continue
                }
            }
            if launcher.opensUsualWindow {
                Log.warning("Cannot open a private window here; the page opens in a regular one.")
            }
            current = launcher
            return .started
        }
        return .unavailable
    }

    /// Waits until the program that was started last exits, or the task is canceled.
    ///
    /// - Returns: Whether it failed. The portal reports that immediately.
    func hasFailed() async -> Bool {
        guard let end else { return false }
        for await status in end { return status != 0 }
        return false
    }

    private mutating func start(_ words: [String]) -> Bool {
        guard let name = words.first else { return false }
        guard let program = ChildProcess.executable(name, in: environment) else {
            Log.verbose("There is no program \(name), which would open the page.")
            return false
        }
        let browser: ChildProcess
        do throws(ChildProcess.Failure) {
            browser = try .silent(program, arguments: Array(words.dropFirst()), environment: environment)
        } catch {
            // The file may not be executable on this machine, in which case the next launcher is tried.
            Log.warning("A program that would open the page did not start. \(error)")
            return false
        }
        let (end, continuation) = AsyncStream.makeStream(of: Int32.self)
        // A terminated process keeps its ID until it is waited for, so this thread always waits.
        Thread.detachNewThread {
            continuation.yield(browser.wait())
            continuation.finish()
        }
        self.end = end
        return true
    }
}
