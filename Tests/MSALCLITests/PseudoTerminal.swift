// Licensed under the MIT License. See LICENSE.

import Foundation

/// A terminal without a screen: `program` is the end that a program uses, `person` the keyboard and screen.
///
/// Close it in a `defer`. It does not close itself, because an object may be destroyed after its last use while the
/// test still uses the descriptor, whose number could by then be another test's terminal.
final class PseudoTerminal {
    let person: Int32
    let program: Int32

    init?() {
        var (person, program): (Int32, Int32) = (0, 0)
        guard openpty(&person, &program, nil, nil, nil) == 0 else { return nil }
        for descriptor in [person, program] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.person = person
        self.program = program
    }

    func close() {
        Glibc.close(person)
        Glibc.close(program)
    }

    var echoes: Bool {
        var settings = termios()
        tcgetattr(program, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether input is available to a program that reads.
    var hasInput: Bool {
        var watched = pollfd(fd: program, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(person, bytes, bytes.count)
    }

    /// The current content of the screen.
    func screen() -> String {
        var text: [UInt8] = []
        var watched = [pollfd(fd: person, events: Int16(POLLIN), revents: 0)]
        while poll(&watched, 1, 0) > 0, watched[0].revents & Int16(POLLIN) != 0 {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(person, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
