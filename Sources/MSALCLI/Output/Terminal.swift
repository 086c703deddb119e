// Licensed under the MIT License. See LICENSE.

import Foundation

/// One of the two streams that the command writes to.
struct Terminal: Sendable {
    /// Standard output: what was asked for.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// Standard error: what is said on the way.
    static let errors = Terminal(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    /// Whether a person sees it now, in a terminal that can move its cursor.
    var isInteractive: Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Writes a line.
    func write(_ line: String) {
        write(raw: Data((line + "\n").utf8))
    }

    /// Writes bytes as they are.
    func write(raw bytes: Data) {
        // A reader that has gone away, such as `head`, wants no more and needs no message.
        try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
    }
}

/// Colours, where they are wanted: on a terminal, unless `NO_COLOR` is set.
struct Style: Equatable {
    static let plain = Style(isColored: false)

    private let isColored: Bool

    init(isColored: Bool) {
        self.isColored = isColored
    }

    init(_ terminal: Terminal, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // no-color.org: any value counts, but not an empty one.
        isColored = terminal.isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    }

    func strong(_ text: String) -> String { paint(text, "1") }
    func good(_ text: String) -> String { paint(text, "32") }
    func problem(_ text: String) -> String { paint(text, "31;1") }
    func faint(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
