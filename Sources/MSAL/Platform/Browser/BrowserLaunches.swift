// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALSupport

/// The launchers that are left for one page.
struct BrowserLaunches: Sendable {
    /// One launcher with its arguments. `opensUsualWindow` is true if a private window is wanted and this launcher opens a
    /// usual one.
    enum Way: Sendable {
        /// A command line.
        case program([String], opensUsualWindow: Bool)
        /// The desktop portal.
        case portal(URL, parentWindow: String?, opensUsualWindow: Bool)

        var opensUsualWindow: Bool {
            switch self {
            case .program(_, let opensUsualWindow), .portal(_, _, let opensUsualWindow): opensUsualWindow
            }
        }
    }

    /// The launchers in the order in which they are tried.
    private(set) var ways: ArraySlice<Way>
    private let environment: [String: String]
    /// Gives the exit status of the program that was started last.
    private var end: AsyncStream<Int32>?

    init(_ ways: [Way], environment: [String: String]) {
        self.ways = ways[...]
        self.environment = environment
    }

    /// Starts the next launcher that works here.
    mutating func next() async -> BrowserLauncher.Outcome {
        end = nil
        while let way = ways.popFirst() {
            switch way {
            case .program(let words, _):
                guard start(words) else { continue }
            case .portal(let url, let parentWindow, _):
                switch await DesktopPortal(environment: environment).open(url, parentWindow: parentWindow) {
                case .opened: break
                case .canceled: return .canceled
                case .unavailable: continue
                }
            }
            if way.opensUsualWindow {
                Log.warning("No private window can be asked for here; the page opens in a usual one.")
            }
            return .started
        }
        return .unavailable
    }

    /// Waits until the program that was started last ends, or the task is cancelled.
    ///
    /// - Returns: Whether it ended with a failure. The portal reports that at once.
    func hasFailed() async -> Bool {
        guard let end else { return false }
        for await status in end { return status != 0 }
        return false
    }

    private mutating func start(_ words: [String]) -> Bool {
        guard let name = words.first, let program = ChildProcess.executable(name, in: environment) else { return false }
        let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { return false }
        defer { close(null) }
        // The file may be no program for this machine. Then the next launcher is tried.
        let browser = try? ChildProcess(
            program,
            arguments: Array(words.dropFirst()),
            environment: environment,
            input: null,
            output: null,
            errors: null
        )
        guard let browser else { return false }
        let (end, continuation) = AsyncStream.makeStream(of: Int32.self)
        // An ended program keeps its number until somebody waits for it, so this thread waits in any case.
        Thread.detachNewThread {
            continuation.yield(browser.wait())
            continuation.finish()
        }
        self.end = end
        return true
    }
}
