// Licensed under the MIT License. See LICENSE.

import Foundation

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
