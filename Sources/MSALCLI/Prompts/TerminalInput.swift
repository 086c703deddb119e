// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// Reads lines that a person types.
///
/// Reading has a dedicated thread, because a user takes longer than a pool thread may block. Ctrl-C cancels the calling
/// task. That ends the reading at once and leaves the terminal as it was.
struct TerminalInput: Sendable {
    let descriptor: Int32

    init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// Whether a person types there.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// Reads one line, without its end.
    ///
    /// - Parameters:
    ///   - isHidden: Whether what is typed stays invisible; what was typed before is dropped then.
    ///   - prompt: Shows the question, once the terminal is ready for the answer: nothing typed after it is lost.
    /// - Returns: The line; `nil` if the input ended (Ctrl-D).
    /// - Throws: `CancellationError`.
    func line(isHidden: Bool, prompt: @escaping @Sendable () -> Void = {}) async throws -> String? {
        let echoSuppression = isHidden ? TerminalEchoSuppression(descriptor, for: .question, resumed: prompt) : nil
        return try await reading(echoSuppression, prompt: prompt) { wakeUp throws(CancellationError) in
            var line: [UInt8] = []
            // Reads single bytes, because an input that is not a terminal has no line boundaries. What follows the line
            // belongs to the next question.
            while let byte = try bytes(atMost: 1, wakeUp: wakeUp).first {
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
    }

    /// Runs `read` on a dedicated thread, which may block. Canceling the task signals the `WakeupPipe`.
    ///
    /// - Throws: What `read` throws.
    func reading<Value: Sendable>(
        _ echoSuppression: TerminalEchoSuppression?,
        prompt: @escaping @Sendable () -> Void,
        read: @escaping @Sendable (WakeupPipe) throws(CancellationError) -> Value
    ) async throws -> Value {
        let wakeUp = try WakeupPipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    Self.allowStopWhileReading()
                    echoSuppression?.begin()
                    prompt()
                    let outcome = Result { () throws(CancellationError) in try read(wakeUp) }
                    echoSuppression?.end()
                    continuation.resume(with: outcome)
                }
            }
        } onCancel: {
            wakeUp.signal()
        }
    }

    /// Unblocks the signal that stops a background process when it reads from the terminal, until it is in the
    /// foreground. Threads of pools block the signal, and a thread that they start inherits that: its read would fail
    /// instead.
    private static func allowStopWhileReading() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTIN)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// The bytes that arrive next; none at the end of the input.
    func bytes(atMost limit: Int, wakeUp: WakeupPipe) throws(CancellationError) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return []
            }
            if watched[1].revents != 0 { throw CancellationError() }
            let count = read(descriptor, &bytes, limit)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return bytes.prefix(max(0, count))
        }
    }

    /// The result of a paste. Its printed form hides the text, because the text may contain a code.
    enum Pasted: Sendable, Equatable {
        case text(PrivateText)
        /// The person pressed the one key by itself.
        case key
        /// Ctrl-D, or the end of the input.
        case end
    }

    /// A longer text is cut off. No address is that long, so the reader of the text refuses it.
    private static let longest = 1 << 17

    /// Reads a pasted line of any length. It is not shown.
    ///
    /// - Parameters:
    ///   - key: The key that has a meaning of its own, if the user presses it first, or alone on a line.
    ///   - prompt: Shows the question, with the number of bytes that have arrived so far.
    /// - Returns: The text without its line end, or the key that was pressed instead.
    /// - Throws: `CancellationError`.
    func pasted(key: UInt8?, prompt: @escaping @Sendable (_ count: Int) -> Void) async throws -> Pasted {
        let echoSuppression = TerminalEchoSuppression(descriptor, for: .paste) { prompt(0) }
        return try await reading(echoSuppression, prompt: { prompt(0) }) { wakeUp throws(CancellationError) in
            try paste(key: key, wakeUp: wakeUp, prompt: prompt)
        }
    }

    private func paste(
        key: UInt8?,
        wakeUp: WakeupPipe,
        prompt: (_ count: Int) -> Void
    ) throws(CancellationError) -> Pasted {
        var text: [UInt8] = []
        while true {
            let chunk = try bytes(atMost: 4096, wakeUp: wakeUp)
            guard !chunk.isEmpty else { return .end }
            if text.isEmpty, chunk.count == 1, chunk.first == key { return .key }
            for byte in chunk {
                switch byte {
                // A new line or Ctrl-D ends the text.
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04:
                    if byte == 0x04, text.isEmpty { return .end }
                    // A slow connection brings the key together with Return.
                    if let key, text == [key] { return .key }
                    prompt(text.count)
                    return .text(PrivateText(String(decoding: text, as: UTF8.self)))
                // Backspace, and Ctrl-U for the whole line.
                case 0x08, 0x7F: _ = text.popLast()
                case 0x15: text.removeAll()
                default: if text.count < Self.longest { text.append(byte) }
                }
            }
            prompt(text.count)
        }
    }
}

/// A pipe that ends a wait for input.
final class WakeupPipe: Sendable {
    /// The end of the pipe that a wait watches beside the input. It can be read after a call of `signal()`.
    let descriptor: Int32
    private let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CancellationError() }  // No descriptor is left: nothing can be asked.
        // Programs that are started meanwhile must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    func signal() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }
}

/// `--no-input`, for the commands that may prompt.
struct InputOptions: ParsableArguments {
    @Flag(help: "Never prompt, at the terminal or for a keyring password; fail instead.")
    var noInput = false

    /// Whether the command may prompt: standard input and standard error are a terminal.
    var canAsk: Bool { !noInput && Self.hasTerminal }

    /// Whether standard input and standard error are a terminal.
    static var hasTerminal: Bool { TerminalInput().isInteractive && isatty(STDERR_FILENO) == 1 }
}
