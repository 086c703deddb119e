// Licensed under the MIT License. See LICENSE.

import Foundation

/// One of the two streams that the command writes to.
struct Terminal: Sendable {
    /// Standard output: what was asked for.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// Standard error: what is said on the way.
    static let errors = Terminal(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Whether a person sees it now, in a terminal that can move its cursor.
    var isInteractive: Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// How many characters fit into a line; `nil` where nobody can tell.
    var width: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes a line that is good to have.
    func write(_ line: String) {
        write(raw: Data((line + "\n").utf8))
    }

    /// Writes bytes that are good to have, as they are.
    func write(raw bytes: Data) {
        // What cannot be said here can be said nowhere.
        try? deliver(bytes)
    }

    /// Writes what a command was run for, whole.
    ///
    /// - Throws: `Failure` with the status `failed`, if the disk is full or the stream closed.
    func deliver(_ bytes: Data) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another program set the stream not to wait; this one does.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
            case EPIPE: return  // A reader that has gone away, such as `head`, wants no more and needs no message.
            default: throw .file("The output could not be written: \(String(cString: strerror(errno))).")
            }
        }
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
