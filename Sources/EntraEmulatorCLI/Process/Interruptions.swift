// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation

/// Waits for the signals that end a process, so that it can remove its files before it exits.
struct Interruptions {
    /// Ends the wait like a signal, for other reasons.
    let end: @Sendable () -> Void
    private let signals: [CInt]
    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        signals = TerminationSignals.usual + TerminationSignals.others
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        end = { continuation.yield() }
        let registered = DispatchSemaphore(value: 0)
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            // Until then, a signal has its default action: it ends the process, which has no files yet.
            source.setRegistrationHandler {
                #if !os(Linux)
                    // On Linux, the source replaces the default action.
                    signal(number, SIG_IGN)
                #endif
                registered.signal()
            }
            source.resume()
            return source
        }
        for _ in sources { registered.wait() }
    }

    /// Returns at the first signal. A second one ends the process immediately.
    func first() async {
        for await _ in stream { break }
        for number in signals { signal(number, SIG_DFL) }
    }
}

/// The signals that end a process (signal(7)), except for SIGKILL, which cannot be handled, the signals of a fault in
/// the process itself, and the real-time signals.
enum TerminationSignals {
    /// The signals of Ctrl-C and of a regular request to exit. This process handles them even if it was started with
    /// them ignored: a shell ignores Ctrl-C for the background jobs of a script, and `kill -INT` must still end them.
    static let usual = [SIGINT, SIGTERM]

    /// The other signals that end a process. Those that this process ignores are left out, because the program that
    /// started it may want that, like `nohup`. Real-time signals are left out, too: each handled signal requires a
    /// descriptor, and there are thirty of them.
    static var others: [CInt] {
        var numbers = [SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
        #if os(Linux)
            numbers += [SIGIO, SIGPWR, SIGSTKFLT]
        #else
            numbers += [SIGEMT]
        #endif
        return numbers.filter { !isIgnored($0) }
    }

    private static func isIgnored(_ number: CInt) -> Bool {
        let former = signal(number, SIG_IGN)
        defer { signal(number, former) }
        return unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
