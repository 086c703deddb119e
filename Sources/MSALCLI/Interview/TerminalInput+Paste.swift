// Licensed under the MIT License. See LICENSE.

import Foundation

extension TerminalInput {
    /// The result of a paste. Its printed form hides the text, because the text may hold a code.
    enum Pasted: Sendable, Equatable {
        case text(PrivateText)
        /// The person pressed the one key by itself.
        case key
        /// Ctrl-D, or the end of the input.
        case end
    }

    /// A longer text is cut off. No address is that long, so the reader of the text refuses it.
    private static let longest = 1 << 17

    /// Reads a pasted line of any length. Nothing of it is shown.
    ///
    /// - Parameters:
    ///   - key: The key that has a meaning of its own, if the user presses it first, or alone on a line.
    ///   - prompt: Shows the question, with the number of bytes that have arrived so far.
    /// - Returns: The text without its end, or what was pressed instead.
    /// - Throws: `CancellationError`.
    func pasted(key: UInt8?, prompt: @escaping @Sendable (_ count: Int) -> Void) async throws -> Pasted {
        let wakeUp = try WakeUp()
        let descriptor = descriptor
        let outcome: Pasted? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    Self.letReadingStop()
                    let silence = Silence(descriptor, for: .paste) { prompt(0) }
                    silence.begin()
                    prompt(0)
                    let outcome = Self.paste(descriptor, key: key, wakeUp: wakeUp, prompt: prompt)
                    silence.end()
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            wakeUp.signal()
        }
        guard let outcome else { throw CancellationError() }
        return outcome
    }

    /// `nil` when it was cancelled.
    private static func paste(
        _ descriptor: Int32,
        key: UInt8?,
        wakeUp: WakeUp,
        prompt: (_ count: Int) -> Void
    ) -> Pasted? {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return .end
            }
            if watched[1].revents != 0 { return nil }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return .end }
            if text.isEmpty, count == 1, chunk[0] == key { return .key }
            for byte in chunk[..<count] {
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
                default: if text.count < longest { text.append(byte) }
                }
            }
            prompt(text.count)
        }
    }
}
