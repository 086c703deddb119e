// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Handles signals on a thread of its own, where everything may be called.
///
/// A handler may call next to nothing (signal-safety(7)), so it only passes the number on, through a pipe. It is in
/// place when `handle` returns. A dispatch source is not: it hears signals once its queue has found time for it.
enum SignalThread {
    private static let actions = Mutex<[Int32: @Sendable () -> Void]>([:])
    /// The end of the pipe that the handlers write to; -1 before there is one.
    fileprivate static let writer = Atomic<Int32>(-1)

    /// Has a signal run `action` from now on, in place of what it ran before.
    ///
    /// A signal that is ignored when it is first handled stays ignored: the program that started this process wants it
    /// so, as `nohup` does.
    ///
    /// `isLastResort`: Whether another action for the signal goes before this one.
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
    static func letAct(_ number: Int32) {
        actions.withLock { $0[number] = nil }
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Makes the pipe and the thread that reads it.
    private static func start() -> Bool {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return false }
        // No program that is started meanwhile needs it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = ends[0]
        // A handler never waits. When the pipe is full, thousands of signals are there to be handled.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        writer.store(ends[1], ordering: .relaxed)
        Thread.detachNewThread {
            // Threads of pools block nearly all signals, and this one may come from one of them.
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

/// The handler. All that it calls is safe in one.
private func passOn(_ number: Int32) {
    let cause = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalThread.writer.load(ordering: .relaxed), &byte, 1)
    switch number {
    case SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP:
        // After a fault nothing can go on here. The signal's thread ends the process; if it cannot, the fault does.
        poll(nil, 0, 1000)
        signal(number, SIG_DFL)
    default: break
    }
    errno = cause
}
