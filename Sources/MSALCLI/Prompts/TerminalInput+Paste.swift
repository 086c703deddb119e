// Licensed under the MIT License. See LICENSE.

import Foundation

extension TerminalInput {
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
