// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// `--no-input`, for the commands that may prompt.
struct InputOptions: ParsableArguments {
    @Flag(help: "Never prompt, at the terminal or for a keyring password; fail instead.")
    var noInput = false

    /// Whether the command may prompt: standard input and standard error are a terminal.
    var canAsk: Bool { !noInput && Self.hasTerminal }

    /// Whether standard input and standard error are a terminal.
    static var hasTerminal: Bool { TerminalInput().isInteractive && isatty(STDERR_FILENO) == 1 }
}
