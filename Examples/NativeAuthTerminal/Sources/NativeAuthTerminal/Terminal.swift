// Licensed under the MIT License. See LICENSE.

import Foundation

/// Prompts for the person at the terminal.
///
/// Reading blocks a thread, which is acceptable in a program with one conversation.
enum Terminal {
    /// The input has ended.
    struct End: LocalizedError {
        var errorDescription: String? { "Good-bye." }
    }

    static func ask(_ question: String) throws -> String {
        try FileHandle.standardOutput.write(contentsOf: Data(question.utf8))
        guard let line = readLine() else { throw End() }
        return line.trimmingCharacters(in: .whitespaces)
    }

    static func askUnseen(_ question: String) throws -> String {
        try FileHandle.standardOutput.write(contentsOf: Data(question.utf8))
        var former = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &former) == 0
        if isTerminal {
            var silent = former
            silent.c_lflag &= ~tcflag_t(ECHO)
            silent.c_lflag |= tcflag_t(ECHONL)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer { if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &former) } }
        guard let line = readLine() else { throw End() }
        return line
    }
}
