// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// `--no-input`, for the commands that may ask somebody.
struct InputOptions: ParsableArguments {
    @Flag(help: "Ask nothing, at the terminal or for a keyring's password. Fail at once instead.")
    var noInput = false

    /// Whether the command may ask somebody, and a person types at standard input and sees standard error.
    var canAsk: Bool { !noInput && Self.hasTerminal }

    /// Whether questions and answers have a terminal.
    static var hasTerminal: Bool { TerminalInput().isInteractive && isatty(STDERR_FILENO) == 1 }
}
