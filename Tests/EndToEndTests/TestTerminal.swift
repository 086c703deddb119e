// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

/// A terminal without a screen, between a command and the test that acts as the user.
final class TestTerminal: Sendable {
    /// The command's end of the terminal.
    let program: FileHandle
    private let person: FileHandle
    private let shown: ProgramText

    init() throws {
        var (descriptor, other): (Int32, Int32) = (0, 0)
        try #require(openpty(&descriptor, &other, nil, nil, nil) == 0)
        for end in [descriptor, other] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        program = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        person = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        shown = ProgramText(from: person)
    }

    /// Whether typed text is echoed.
    var echoes: Bool { has(ECHO) }

    /// Whether a program receives typed text by line, and not by byte.
    var readsLines: Bool { has(ICANON) }

    private func has(_ flag: Int32) -> Bool {
        var settings = termios()
        tcgetattr(program.fileDescriptor, &settings)
        return settings.c_lflag & tcflag_t(flag) != 0
    }

    /// Switches the echo on, like a shell that takes over the terminal.
    func setEcho() {
        var settings = termios()
        tcgetattr(program.fileDescriptor, &settings)
        settings.c_lflag |= tcflag_t(ECHO)
        tcsetattr(program.fileDescriptor, TCSANOW, &settings)
    }

    /// Whether something was typed that the next program would read.
    var hasInput: Bool {
        var watched = pollfd(fd: program.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// Waits until the screen shows a text after the previously awaited one.
    ///
    /// `seen`: The text after the previously awaited one. Afterwards, the text after this one.
    ///
    /// - Returns: Everything since then, including the text.
    @discardableResult
    func until(_ text: String, seen: inout String) async throws -> String {
        try await shown.until(text, seen: &seen)
    }

    /// Types characters without a line end.
    func press(_ keys: String) throws {
        try person.write(contentsOf: Data(keys.utf8))
    }

    /// Types a line.
    func type(_ line: String) throws {
        try person.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Answers a prompt once it is shown.
    ///
    /// - Returns: As in `until(_:seen:)`.
    @discardableResult
    func answer(_ question: String, _ line: @autoclosure () -> String?, seen: inout String) async throws -> String {
        let shown = try await until(question, seen: &seen)
        try type(#require(line()))
        return shown
    }
}
