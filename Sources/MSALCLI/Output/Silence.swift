// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import Synchronization

/// A terminal's echo, switched off while nothing that is typed shall show.
///
/// The echo comes back with `end()`, before a signal ends the process, and while Ctrl-Z stops it. A process in the
/// background leaves the terminal alone, for it is another's.
final class Silence: Sendable {
    /// What the terminal is silent for.
    enum Purpose {
        /// An answer, whose end shows as a new line. What is typed after it belongs to the next question.
        case question
        /// A wait, during which nothing is asked. What is typed belongs to nobody and is dropped.
        case wait
    }

    private enum State {
        case idle, paused, over
        case silent(former: termios)
    }

    private let descriptor: Int32
    private let purpose: Purpose
    private let resumed: @Sendable () -> Void
    private let state = Mutex(State.idle)

    /// `resumed`: What to do when a stopped process goes on in front of the person, whose shell wrote meanwhile.
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

    /// Switches the echo off and drops what was typed. It does nothing where there is no terminal, or if that was done
    /// before; so it can be repeated, for a process that comes back from the background.
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

    fileprivate func resume() {
        let isSilent = state.withLock { state in
            guard case .paused = state else { return false }
            state = .idle
            hide(&state)
            if case .silent = state { return true }
            return false
        }
        if isSilent { resumed() }
    }

    private func hide(_ state: inout State) {
        guard case .idle = state, isInForeground else { return }
        var former = termios()
        guard tcgetattr(descriptor, &former) == 0 else { return }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        if purpose == .question { silent.c_lflag |= tcflag_t(ECHONL) }
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { return }
        state = .silent(former: former)
    }

    private func show(_ state: inout State, next: State) {
        if case .silent(var former) = state, isInForeground {
            tcsetattr(descriptor, purpose == .wait ? TCSAFLUSH : TCSANOW, &former)
        }
        state = next
    }
}

/// Gives terminals their echo back when a signal ends or stops this process.
///
/// Ctrl-C is not among the signals here, because ``cancelledByInterrupt(_:)`` makes it a way to go on.
enum SilenceKeeper {
    private static let silences = Mutex<[Silence]>([])
    /// For as long as the process lives, since a source that replaces a cancelled one may come too early to be heard.
    private static let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Ends every silence.
    static func endAll() {
        for silence in silences.withLock({ $0 }) { silence.end() }
    }

    fileprivate static func keep(_ silence: Silence) {
        silences.withLock { silences in
            if !silences.contains(where: { $0 === silence }) { silences.append(silence) }
        }
        sources.withLock { sources in
            guard sources.isEmpty else { return }
            sources = [SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].filter { !isIgnored($0) }.map(source)
        }
    }

    fileprivate static func forget(_ silence: Silence) {
        silences.withLock { $0.removeAll { $0 === silence } }
    }

    /// Whether a signal does nothing, because who started the process wants it so, as `nohup` does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func source(_ number: Int32) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            guard number == SIGTSTP else {
                endAll()
                signal(number, SIG_DFL)
                kill(getpid(), number)
                return
            }
            let paused = silences.withLock { $0 }
            for silence in paused { silence.pause() }
            raise(SIGSTOP)  // Returns when the process goes on.
            for silence in paused { silence.resume() }
        }
        source.resume()
        return source
    }
}
