// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALSupport

/// The launchers that are left for one page.
struct BrowserLaunches: Sendable {
    /// One launcher, ready to go. `opensUsualWindow`: although a private one is wished for.
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

    /// In the order of trying.
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
    /// - Returns: Whether it ended and says that it failed. Of the portal that is known at once.
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
        // If it is no program for this machine, the next one is tried.
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
        // Waited for even if nobody wants to know: until then an ended program keeps its number.
        Thread.detachNewThread {
            continuation.yield(browser.wait())
            continuation.finish()
        }
        self.end = end
        return true
    }
}
