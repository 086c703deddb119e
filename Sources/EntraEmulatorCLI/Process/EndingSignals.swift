// Licensed under the MIT License. See LICENSE.

import Foundation

/// The signals that others send to end a process (signal(7)). Left out are SIGKILL, which nobody can handle, the
/// signals of a fault in the process itself, and the real-time signals.
enum EndingSignals {
    /// The signals of Ctrl-C and of the usual request to end. This process handles them even if it was started with
    /// them ignored. A shell ignores Ctrl-C for the background jobs of a script, and `kill -INT` must still end them.
    static let usual = [SIGINT, SIGTERM]

    /// The other signals that end a process. Those that this process ignores are left out: the program that started it
    /// may want that, as `nohup` does. Real-time signals are left out, too: each handled signal takes a descriptor, and
    /// there are thirty of them.
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
