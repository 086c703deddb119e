// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Switches off the terminal's echo for some time, so that typed text is not shown.
///
/// The echo comes back with `end()`, before a signal ends the process, and while Ctrl-Z stops the process. A background
/// process does not touch the terminal, because another program uses it. It switches the echo off when it comes to the
/// foreground. A background process restores the echo only if the terminal's settings are still its own: the shell gets
/// the terminal when this process stops, and not every shell switches the echo on.
final class TerminalEchoSuppression: Sendable {
    /// The reason for the silence.
    enum Purpose {
        /// An answer. The new line at its end is shown. Text that is typed after it belongs to the next question.
        case question
        /// A wait, during which nothing is asked. Typed text is dropped.
        case wait
        /// An answer that is read byte by byte. It may be longer than a terminal's line (termios(3): 4,096 bytes). Text
        /// that is typed after it is dropped.
        case paste
    }

    private enum State {
        case idle, paused, over
        case silent(Change)
    }

    /// The terminal's settings before and during the silence.
    private struct Change {
        var earlier: termios
        var silent: termios
    }

    private let descriptor: Int32
    private let purpose: Purpose
    private let resumed: @Sendable () -> Void
    private let state = Mutex(State.idle)

    /// `resumed`: Called on the signals' thread when a stopped process continues in the foreground. The shell may have
    /// written to the terminal meanwhile.
    init(_ descriptor: Int32, for purpose: Purpose, resumed: @escaping @Sendable () -> Void = {}) {
        self.descriptor = descriptor
        self.purpose = purpose
        self.resumed = resumed
    }

    /// Whether this process is in the foreground, so that it may write to the terminal and change it.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// Switches the echo off and drops the text that was typed before. Without a terminal, or if the echo is off
    /// already, it does nothing. So a process may call it again when it returns from the background.
    func begin() {
        TerminalEchoRestorer.keep(self)
        state.withLock { hide(&$0) }
    }

    /// Switches the echo on for good.
    func end() {
        state.withLock { show(&$0, next: .over) }
        TerminalEchoRestorer.forget(self)
    }

    /// Switches the echo on until `resume()`.
    fileprivate func pause() {
        state.withLock { state in
            guard case .silent = state else { return }
            show(&state, next: .paused)
        }
    }

    /// Switches the echo off again, after a pause or if something else has switched it on.
    fileprivate func resume() {
        let isSilencedAnew = state.withLock { state in
            switch state {
            case .over: return false
            case .idle, .paused:
                state = .idle
                hide(&state)
            case .silent(let change):
                // SIGSTOP stops a process without notice. The shell may have changed the terminal then.
                guard let settings, settings.c_lflag & tcflag_t(ECHO) != 0 else { return false }
                state = .idle
                hide(&state, earlier: change.earlier)
            }
            if case .silent = state { return true }
            return false
        }
        if isSilencedAnew { resumed() }
    }

    private var settings: termios? {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 ? settings : nil
    }

    private func hide(_ state: inout State, earlier: termios? = nil) {
        guard case .idle = state, isInForeground, let settings else { return }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        switch purpose {
        case .question: silent.c_lflag |= tcflag_t(ECHONL)
        case .wait: break
        case .paste:
            silent.c_lflag &= ~tcflag_t(ICANON)
            withUnsafeMutableBytes(of: &silent.c_cc) { bytes in
                (bytes[Int(VMIN)], bytes[Int(VTIME)]) = (1, 0)
            }
        }
        guard change(to: silent, dropsInput: true) else { return }
        state = .silent(Change(earlier: earlier ?? settings, silent: self.settings ?? silent))
    }

    private func show(_ state: inout State, next: State) {
        if case .silent(let change) = state {
            let isInForeground = isInForeground
            // In the background, the input and changed settings belong to another program.
            if isInForeground || settings.map(change.silent.isSame(as:)) == true {
                _ = self.change(to: change.earlier, dropsInput: isInForeground && purpose != .question)
            }
        }
        state = next
    }

    /// Changes the settings at once. TCSAFLUSH would wait for output that Ctrl-S holds back.
    private func change(to settings: termios, dropsInput: Bool) -> Bool {
        // SIGTTOU stops a background process that changes the terminal, unless its thread blocks that signal.
        var (stop, former) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &stop, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var settings = settings
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { return false }
        if dropsInput { tcflush(descriptor, TCIFLUSH) }
        return true
    }
}

extension termios {
    /// Whether a terminal treats keys in the same way with both settings.
    fileprivate func isSame(as other: termios) -> Bool {
        var (mine, others) = (c_cc, other.c_cc)
        return c_iflag == other.c_iflag && c_oflag == other.c_oflag && c_lflag == other.c_lflag
            && withUnsafeBytes(of: &mine) { mine in
                withUnsafeBytes(of: &others) { others in mine.elementsEqual(others) }
            }
    }
}

/// Restores the echo of all terminals before a signal ends or stops this process.
enum TerminalEchoRestorer {
    private static let echoSuppressions = Mutex<[TerminalEchoSuppression]>([])

    /// Ends every silence.
    static func endAll() {
        for echoSuppression in echoSuppressions.withLock({ $0 }) { echoSuppression.end() }
    }

    /// Ends every silence. Then the signal ends the process as usual.
    static func end(by number: Int32) {
        endAll()
        SignalThread.performDefaultAction(number)
    }

    fileprivate static func keep(_ echoSuppression: TerminalEchoSuppression) {
        handlers
        echoSuppressions.withLock { echoSuppressions in
            if !echoSuppressions.contains(where: { $0 === echoSuppression }) {
                echoSuppressions.append(echoSuppression)
            }
        }
    }

    fileprivate static func forget(_ echoSuppression: TerminalEchoSuppression) {
        echoSuppressions.withLock { $0.removeAll { $0 === echoSuppression } }
    }

    /// Installs the handlers at the first silence. The silence begins when all of them are installed.
    private static let handlers: Void = {
        // Ctrl-C may have an action that cancels the work: see `canceledByInterrupt(_:)`.
        for number in ending { SignalThread.handle(number, isLastResort: true) { end(by: number) } }
        SignalThread.handle(SIGTSTP, action: stop)
        SignalThread.handle(SIGCONT, action: resume)
    }()

    /// The signals that end a process (signal(7)). These are left out: signals that cannot be handled, and signals that
    /// by default do nothing, or stop or continue the process.
    private static let ending: [Int32] = {
        let others = [SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT]
        return (1...64).filter { !others.contains($0) }
    }()

    private static func stop() {
        for echoSuppression in echoSuppressions.withLock({ $0 }) { echoSuppression.pause() }
        // Returns when the process is continued, or immediately if nothing could continue it.
        SignalThread.performDefaultAction(SIGTSTP)
        SignalThread.handle(SIGTSTP, action: stop)
        resume()
    }

    private static func resume() {
        for echoSuppression in echoSuppressions.withLock({ $0 }) { echoSuppression.resume() }
    }
}
