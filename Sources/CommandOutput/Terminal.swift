// Licensed under the MIT License. See LICENSE.

public import Foundation

/// One of the two streams that a command writes to. All output of the command goes through this type.
///
/// Text is a ``TerminalText``, whose values are made visible. JSON and raw bytes are for programs and stay unchanged.
public struct Terminal: Sendable {
    /// Standard output, for results.
    public static let output = Terminal(descriptor: STDOUT_FILENO)
    /// Standard error, for prompts, progress, and messages.
    public static let errors = Terminal(descriptor: STDERR_FILENO)

    /// The file descriptor of the stream.
    public let descriptor: Int32

    /// The stream with this file descriptor.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the stream is an interactive terminal that can move its cursor.
    public var isInteractive: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// The number of characters that fit in a line; `nil` if unknown.
    public var width: Int? { SystemStream.columns(of: descriptor) }

    /// Whether the stream is a terminal rather than a file or a pipe.
    public var isTerminal: Bool { isatty(descriptor) == 1 }
}

// Messages. If one cannot be written, nothing else can be written either, so the failure is ignored.
extension Terminal {
    /// Writes a line.
    public func write(_ line: TerminalText) { try? send(line.description + "\n") }

    /// Writes a prompt. The user types the response after it, on the same line.
    public func ask(_ question: TerminalText) { try? send(question.description) }

    /// Overwrites the line of the cursor. The text must not be longer than the terminal is wide.
    public func overwrite(_ line: TerminalText) { try? send("\r" + line.description) }

    /// Clears the line of the cursor.
    public func clearLine() { try? send("\r\u{1B}[K") }
}

// Results. A result is written completely, or the command fails.
extension Terminal {
    /// Writes a result for people as a line.
    ///
    /// - Throws: `OutputError` if the disk is full or the stream is closed.
    public func deliver(_ text: TerminalText) throws(OutputError) {
        try send(text.description + "\n")
    }

    /// Writes a result for programs as a line. A program receives every value unchanged; on a terminal, characters that
    /// would control it are escaped in the JSON.
    ///
    /// - Throws: The same error as `deliver(_:)`.
    public func deliver(json: String) throws(OutputError) {
        try send((isTerminal ? json.escapedJSON : json) + "\n")
    }

    /// Writes bytes unchanged.
    ///
    /// - Throws: The same error as `deliver(_:)`.
    public func deliver(raw bytes: Data) throws(OutputError) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(OutputError) in try send(bytes) }
        }.get()
    }

    /// Writes a plain value for programs as a line. A program receives it unchanged.
    ///
    /// - Throws: The same error as `deliver(_:)`.
    public func deliver(value: String) throws(OutputError) { try send(value + "\n") }

    private func send(_ text: String) throws(OutputError) {
        var text = text
        try text.withUTF8 { bytes in
            Result { () throws(OutputError) in try send(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = SystemStream.write(UnsafeRawBufferPointer(rebasing: rest), to: descriptor)
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another program has made the stream non-blocking, so this process waits here.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
            case EPIPE: return  // A reader that has exited, such as `head`, needs no message.
            default: throw OutputError(message: "The output could not be written: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// A result that could not be written.
public struct OutputError: Error, Equatable {
    /// The reason, as a sentence.
    public let message: String
}
