// Licensed under the MIT License. See LICENSE.

import Foundation

/// The signals that others send to end a process (signal(7)): all but SIGKILL, which nobody can handle, those of a
/// fault in the process itself, and the real-time signals.
enum EndingSignals {
    /// Ctrl-C, and the usual request to end. They are always handled: a script's jobs in the background ignore Ctrl-C, and
    /// are ended by this number all the same.
    static let usual = [SIGINT, SIGTERM]

    /// The others that this process does not ignore. The program that started this one may want that, as `nohup` does.
    /// Real-time signals are left out: each signal that is handled takes a descriptor, and there are thirty of them.
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
