// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Synchronization

/// What a command waits for.
enum Wait: Equatable {
    case keyring, network
    /// For the person, in these words.
    case person(String)

    var message: String {
        switch self {
        case .keyring: "Waiting for the keyring, which may ask for its password…"
        case .network: "Waiting for the network…"
        case .person(let words): "\(words) (Ctrl-C cancels)"
        }
    }

    /// Short work shows no line. The person is told at once.
    fileprivate var patience: Duration {
        switch self {
        case .keyring, .network: .seconds(1)
        case .person: .zero
        }
    }
}

/// A line on standard error that turns while the command waits, and names what it waits for. There is none where
/// standard error is no terminal, and none between log lines.
///
/// While the person is waited for, what is typed neither shows nor reaches the shell.
final class WaitLine: Sendable {
    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    private struct State {
        var wait: Wait?
        var begin = ContinuousClock.now
        var isDrawn = false
        var turn = 0
        var silence: Silence?
        var task: Task<Void, Never>?
    }

    private let terminal: Terminal
    private let state = Mutex(State())

    init(_ terminal: Terminal = .errors) {
        self.terminal = terminal
    }

    /// Waits for something else from now on; `nil` only clears the line, before something else is written.
    func wait(for what: Wait?) {
        guard terminal.isInteractive, !CommandLog.isOn else { return }
        state.withLock { state in
            clear(&state)
            state.wait = what
            guard let what else { return }
            state.begin = .now + what.patience
            if case .person = what {
                let silence = Silence(terminal.descriptor, for: .wait)
                silence.begin()
                state.silence = silence
            }
            // Ended and forgotten by `end()`.
            if state.task == nil { state.task = Task { [weak self] in await self?.turn() } }
        }
    }

    /// Clears the line for good.
    func end() async {
        let task = state.withLock { state in
            defer { state.task = nil }
            clear(&state)
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    /// Runs work, and names what it waits for if that takes longer than a moment.
    ///
    /// - Throws: What `work` throws.
    static func waiting<Value>(
        for what: Wait,
        on terminal: Terminal = .errors,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let line = WaitLine(terminal)
        line.wait(for: what)
        do {
            let value = try await work()
            await line.end()
            return value
        } catch {
            await line.end()
            throw error
        }
    }

    private func clear(_ state: inout State) {
        if state.isDrawn { terminal.clearLine() }
        state.silence?.end()
        (state.wait, state.silence, state.isDrawn) = (nil, nil, false)
    }

    private func turn() async {
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            // Cancellation only ends the pause early.
            try? await Task.sleep(for: .milliseconds(120))
        }
    }

    private func draw(_ state: inout State) {
        guard let wait = state.wait, ContinuousClock.now >= state.begin else { return }
        if let silence = state.silence {
            guard silence.isInForeground else { return }
            silence.begin()
        }
        let frame = Self.frames[state.turn % Self.frames.count]
        // A line that is wrapped cannot be written over.
        terminal.overwrite("\("\(frame) \(wait.message)".prefix((terminal.width ?? 80) - 1))")
        state.turn += 1
        state.isDrawn = true
    }
}
