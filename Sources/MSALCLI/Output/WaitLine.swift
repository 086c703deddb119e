// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Synchronization

/// What a command waits for.
enum Wait: Equatable {
    /// The token store's key. `mayAsk`: Whether the desktop may ask the person for the keyring's password.
    case keyring(mayAsk: Bool)
    case network
    /// The user. The text says what the user has to do.
    case person(String)

    var message: String {
        switch self {
        case .keyring(mayAsk: true): "Waiting for the keyring, which may ask for its password…"
        case .person(let words): "\(words) (Ctrl-C to cancel)"
        case .keyring(mayAsk: false), .network: brief
        }
    }

    /// A shorter text for a narrow terminal.
    var brief: String {
        switch self {
        case .keyring(mayAsk: true): "The keyring may ask for its password…"
        case .keyring(mayAsk: false): "Waiting for the keyring…"
        case .network: "Waiting for the network…"
        case .person(let words): words
        }
    }

    /// Whether the user has to do something.
    fileprivate var isForPerson: Bool {
        switch self {
        case .keyring(let mayAsk): mayAsk
        case .network: false
        case .person: true
        }
    }

    /// How long a wait may last before the line shows. If the person has to act, the line shows at once.
    fileprivate var displayDelay: Duration {
        switch self {
        case .keyring, .network: .seconds(1)
        case .person: .zero
        }
    }
}

/// A line on standard error with a spinner. It names what the command waits for. If standard error is not a terminal,
/// there is no line. If the log writes many lines, there is no spinner, and what the person has to do is written once.
///
/// While the command waits for the person, typed text is not shown and does not reach the shell.
final class WaitLine: Sendable {
    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    private struct State {
        var wait: Wait?
        var begin = ContinuousClock.now
        var isDrawn = false
        var turn = 0
        var echoSuppression: TerminalEchoSuppression?
        var task: Task<Void, Never>?
    }

    /// The line of a command that ``CallingThread`` runs. That thread moves the spinner while it is idle. So the line
    /// costs almost nothing if the command does not wait.
    static let ofCallingThread = WaitLine(isTurnedByTask: false)

    private let terminal: Terminal
    private let isTurnedByTask: Bool
    private let state = Mutex(State())

    init(_ terminal: Terminal = .errors, isTurnedByTask: Bool = true) {
        self.terminal = terminal
        self.isTurnedByTask = isTurnedByTask
    }

    /// Changes what the command waits for. `nil` only clears the line, before something else is written.
    func wait(for what: Wait?) {
        if isTurnedByTask {
            guard terminal.isInteractive else { return }
            guard !CommandLog.isVerbose else {
                if let what, what.isForPerson { terminal.write("\(what.message)") }
                return
            }
        }
        state.withLock { state in
            clear(&state)
            state.wait = what
            guard let what else { return }
            state.begin = .now + what.displayDelay
            guard isTurnedByTask else { return }
            if case .person = what {
                let echoSuppression = TerminalEchoSuppression(terminal.descriptor, for: .wait)
                echoSuppression.begin()
                state.echoSuppression = echoSuppression
            }
            // `end()` cancels this task.
            if state.task == nil { state.task = Task { [weak self] in await self?.spin() } }
        }
    }

    /// Shows what the user has to do. If standard error is not a terminal, the text is written once.
    func wait(forPerson message: String) {
        if terminal.isInteractive {
            wait(for: .person(message))
        } else {
            terminal.write("\(message)")
        }
    }

    /// Writes a text instead of the line. The line comes back below it.
    func write(_ text: TerminalText) {
        state.withLock { state in
            if state.isDrawn { terminal.clearLine() }
            state.isDrawn = false
            terminal.write(text)
        }
    }

    /// Clears the line permanently.
    func end() async {
        let task = state.withLock { state in
            defer { state.task = nil }
            clear(&state)
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    /// Runs work. If it takes longer than a moment, a line tells what the command waits for.
    ///
    /// - Throws: What `work` throws.
    static func waiting<Value, Problem: Error>(
        for what: Wait,
        _ work: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await WaitLine().during(what, work: work)
    }

    /// Runs work in the same way, with this line.
    ///
    /// - Throws: What `work` throws.
    func during<Value, Problem: Error>(
        _ what: Wait,
        work: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        wait(for: what)
        return try await ending(after: work)
    }

    /// Runs work, and clears the line for good when the work is done or has failed.
    ///
    /// - Throws: What `work` throws.
    func ending<Value, Problem: Error>(after work: () async throws(Problem) -> Value) async throws(Problem) -> Value {
        do throws(Problem) {
            let value = try await work()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    /// Draws the line again, if it is time to show it.
    func turn() {
        // A log with many lines needs no spinner.
        guard !CommandLog.isVerbose, terminal.isInteractive else { return }
        state.withLock { draw(&$0) }
    }

    private func clear(_ state: inout State) {
        if state.isDrawn { terminal.clearLine() }
        state.echoSuppression?.end()
        (state.wait, state.echoSuppression, state.isDrawn) = (nil, nil, false)
    }

    private func spin() async {
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            // Cancellation only ends the pause early, so its error does not matter.
            try? await Task.sleep(for: .milliseconds(120))
        }
    }

    private func draw(_ state: inout State) {
        guard let wait = state.wait, ContinuousClock.now >= state.begin else { return }
        if let echoSuppression = state.echoSuppression {
            guard echoSuppression.isInForeground else { return }
            echoSuppression.begin()
        }
        let frame = Self.frames[state.turn % Self.frames.count]
        // A line that the terminal wraps could not be overwritten.
        let room = (terminal.width ?? 80) - 3
        let words = wait.message.count <= room ? wait.message : wait.brief
        terminal.overwrite("\(frame) \(words.prefix(max(0, room)))")
        state.turn += 1
        state.isDrawn = true
    }
}
