// Licensed under the MIT License. See LICENSE.

import Foundation

/// The width that the argument parser wraps its help to.
public enum HelpWidth {
    /// The parser puts descriptions behind a column of 28 characters. If a line has no room left for them, the parser
    /// stops the process or loses them. This width leaves room for a word.
    private static let least = 40

    /// Makes the parser take a very narrow terminal for a wider one. The terminal then wraps the lines itself.
    ///
    /// The parser asks the environment before the terminal, and not all its calls take a width.
    public static func ensure() {
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
        guard let width = wanted ?? Terminal.output.width, width < least else { return }
        setenv("COLUMNS", String(least), 1)
    }
}
