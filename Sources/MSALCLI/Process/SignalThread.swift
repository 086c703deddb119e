// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Handles signals on a dedicated thread. An action may call any function there.
///
/// A signal handler may call almost nothing (signal-safety(7)). So it only writes the signal's number to a pipe. The
/// handler is installed when `handle` returns. A dispatch source would miss signals until its queue has installed it.
enum SignalThread {
    private static let actions = Mutex<[Int32: @Sendable () -> Void]>([:])
    /// The end of the pipe that the handlers write to; -1 until the pipe exists.
    fileprivate static let writer = Atomic<Int32>(-1)

    /// Runs `action` whenever the signal arrives. It replaces the signal's earlier action.
    ///
    /// A signal that is ignored at the first call stays ignored. The program that started this process wants that, as
    /// `nohup` does.
    ///
    /// `isLastResort`: Whether the action is kept only if the signal has no other action.
    static func handle(_ number: Int32, isLastResort: Bool = false, action: @escaping @Sendable () -> Void) {
        actions.withLock { actions in
            guard writer.load(ordering: .relaxed) >= 0 || start() else { return }
            let isHandled = actions[number] != nil
            guard !isHandled || !isLastResort else { return }
            var (former, handler) = (sigaction(), sigaction())
            guard isHandled || (sigaction(number, nil, &former) == 0 && !former.isIgnoring) else { return }
            actions[number] = action
            handler.__sigaction_handler.sa_handler = passOn
            handler.sa_flags = SA_RESTART
            sigaction(number, &handler, nil)
        }
    }

    /// Stops handling a signal and sends it to this process again. The signal then has its usual effect: mostly it ends
    /// or stops the process.
    static func performDefaultAction(_ number: Int32) {
        actions.withLock { $0[number] = nil }
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Makes the pipe and the thread that reads it.
    private static func start() -> Bool {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return false }
        // Programs that are started meanwhile must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = ends[0]
        // A handler must never wait. If the pipe is full, thousands of signals are in it already.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        writer.store(ends[1], ordering: .relaxed)
        Thread.detachNewThread {
            // The new thread inherits the signal mask of this one. A thread of a pool blocks nearly all signals.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            while true {
                var number: UInt8 = 0
                let count = read(reader, &number, 1)
                if count == 1 { actions.withLock { $0[Int32(number)] }?() }
                guard count == 1 || errno == EINTR else { return }
            }
        }
        return true
    }
}

extension sigaction {
    fileprivate var isIgnoring: Bool {
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The signal handler. It calls only functions that are safe in a handler.
private func passOn(_ number: Int32) {
    let cause = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalThread.writer.load(ordering: .relaxed), &byte, 1)
    switch number {
    case SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP:
        // After a fault this thread must not continue. It waits here while the signals' thread ends the process. If
        // that thread cannot, the fault itself ends the process.
        poll(nil, 0, 1000)
        signal(number, SIG_DFL)
    default: break
    }
    errno = cause
}
