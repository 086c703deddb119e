// Licensed under the MIT License. See LICENSE.

import Foundation

/// Reads lines that a person types.
///
/// The reading has a thread of its own, because a person takes longer than a thread of the pool may wait. Ctrl-C
/// cancels the calling task. That ends the reading at once and leaves the terminal as it was.
struct TerminalInput: Sendable {
    let descriptor: Int32

    init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = descriptor
    }

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
        let wakeUp = try WakeUp()
        let descriptor = descriptor
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    Self.letReadingStop()
                    let silence = isHidden ? Silence(descriptor, for: .question, resumed: prompt) : nil
                    silence?.begin()
                    prompt()
                    let outcome = Self.read(descriptor, wakeUp: wakeUp)
                    silence?.end()
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            wakeUp.signal()
        }
        switch outcome {
        case .line(let text): return text
        case .end: return nil
        case .cancelled: throw CancellationError()
        }
    }

    private enum Outcome: Sendable {
        case line(String), end, cancelled
    }

    /// Unblocks the signal that stops a background process when it reads from the terminal, until it is in the
    /// foreground. Threads of pools block the signal, and a thread that they start inherits that: its read would fail
    /// instead.
    static func letReadingStop() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTIN)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Reads single bytes, because an input that is not a terminal has no line boundaries. What follows the line
    /// belongs to the next question.
    private static func read(_ descriptor: Int32, wakeUp: WakeUp) -> Outcome {
        var bytes: [UInt8] = []
        while true {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return .end
            }
            if watched[1].revents != 0 { return .cancelled }
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1 else { return bytes.isEmpty ? .end : .line(String(decoding: bytes, as: UTF8.self)) }
            if byte == UInt8(ascii: "\n") { return .line(String(decoding: bytes, as: UTF8.self)) }
            bytes.append(byte)
        }
    }
}
