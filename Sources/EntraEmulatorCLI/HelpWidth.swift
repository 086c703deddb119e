// Licensed under the MIT License. See LICENSE.

import Foundation

/// How wide the argument parser writes its help.
enum HelpWidth {
    /// Below this, nothing is left beside the column of options, and debug builds of the parser trap.
    private static let least = 40

    /// Has help in a narrower terminal written this wide; the terminal breaks the lines.
    static func ensure() {
        var size = winsize()
        // The parser prefers the variable, and asks the terminal without it.
        let columns =
            ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
            ?? (ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : least)
        if columns < least { setenv("COLUMNS", String(least), 1) }
    }
}
