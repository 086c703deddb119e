// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// A time in which the terminal does not show what is typed.
///
/// The echo comes back with `end()`, before a signal ends the process, and while Ctrl-Z stops it. A process in the
/// background leaves the terminal alone, for it is another's, and silences it when it comes to the front. Only its own
/// silence does it take back there: a shell gets the terminal as soon as the program that it started has stopped, which
/// may be one that started this one, and not every shell switches the echo on.
final class Silence: Sendable {
    /// What the terminal is silent for.
    enum Purpose {
        /// An answer, whose end shows as a new line. What is typed after it belongs to the next question.
        case question
        /// A wait, during which nothing is asked. Typed text is dropped.
        case wait
        /// An answer that is read byte by byte, and may be longer than a line of a terminal (termios(3): 4,096 bytes).
        /// What follows it is dropped.
        case paste
    }

    private enum State {
        case idle, paused, over
        case silent(Change)
    }

    /// What was done to the terminal.
    private struct Change {
        var earlier: termios
        var silent: termios
    }

    private let descriptor: Int32
    private let purpose: Purpose
    private let resumed: @Sendable () -> Void
    private let state = Mutex(State.idle)

    /// `resumed`: What to do when a stopped process goes on in front of the person, whose shell wrote meanwhile. It runs
    /// at the signals' thread.
    init(_ descriptor: Int32, for purpose: Purpose, resumed: @escaping @Sendable () -> Void = {}) {
        self.descriptor = descriptor
        self.purpose = purpose
        self.resumed = resumed
    }

    /// Whether the terminal is this process's to write to and to change.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// Switches the echo off and drops what was typed. It does nothing without a terminal, or if the echo is off
    /// already; so a process may call it again when it returns from the background.
    func begin() {
        SilenceKeeper.keep(self)
        state.withLock { hide(&$0) }
    }

    /// Gives the echo back, for good.
    func end() {
        state.withLock { show(&$0, next: .over) }
        SilenceKeeper.forget(self)
    }

    /// Gives the echo back until `resume()`.
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
                // The shell of a process that was stopped without notice may have changed the terminal.
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
            // In the background, input and other settings are another program's.
            if isInForeground || settings.map(change.silent.isSame(as:)) == true {
                _ = self.change(to: change.earlier, dropsInput: isInForeground && purpose != .question)
            }
        }
        state = next
    }

    /// Unlike with TCSAFLUSH, nothing waits for output that Ctrl-S holds back.
    private func change(to settings: termios, dropsInput: Bool) -> Bool {
        // The signal stops a process that does this in the background, unless the thread blocks it.
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
    /// Whether a terminal with these settings and one with others take keys in the same way.
    fileprivate func isSame(as other: termios) -> Bool {
        var (mine, others) = (c_cc, other.c_cc)
        return c_iflag == other.c_iflag && c_oflag == other.c_oflag && c_lflag == other.c_lflag
            && withUnsafeBytes(of: &mine) { mine in
                withUnsafeBytes(of: &others) { others in mine.elementsEqual(others) }
            }
    }
}

/// Gives terminals their echo back when a signal ends or stops this process.
enum SilenceKeeper {
    private static let silences = Mutex<[Silence]>([])

    /// Ends every silence.
    static func endAll() {
        for silence in silences.withLock({ $0 }) { silence.end() }
    }

    /// Ends every silence, and then the process as the signal does it.
    static func end(by number: Int32) {
        endAll()
        SignalThread.letAct(number)
    }

    fileprivate static func keep(_ silence: Silence) {
        handlers
        silences.withLock { silences in
            if !silences.contains(where: { $0 === silence }) { silences.append(silence) }
        }
    }

    fileprivate static func forget(_ silence: Silence) {
        silences.withLock { $0.removeAll { $0 === silence } }
    }

    /// Made at the first silence, which goes on when all of them are in place.
    private static let handlers: Void = {
        // Ctrl-C may be a way to go on, see `cancelledByInterrupt(_:)`.
        for number in ending { SignalThread.handle(number, isLastResort: true) { end(by: number) } }
        SignalThread.handle(SIGTSTP, action: stop)
        SignalThread.handle(SIGCONT, action: resume)
    }()

    /// The signals that end a process: all but those that cannot be handled, and those that do nothing, stop it or
    /// continue it (signal(7)).
    private static let ending: [Int32] = {
        let others = [SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT]
        return (1...64).filter { !others.contains($0) }
    }()

    private static func stop() {
        for silence in silences.withLock({ $0 }) { silence.pause() }
        SignalThread.letAct(SIGTSTP)  // Returns when the process goes on, or at once where nobody could continue it.
        SignalThread.handle(SIGTSTP, action: stop)
        resume()
    }

    private static func resume() {
        for silence in silences.withLock({ $0 }) { silence.resume() }
    }
}
