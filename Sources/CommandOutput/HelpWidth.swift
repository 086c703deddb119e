// Licensed under the MIT License. See LICENSE.

import Foundation

/// The width at which the argument parser wraps its help.
public enum HelpWidth {
    /// The parser indents descriptions by 28 characters. If a line has no space left for them, the parser crashes or
    /// drops them. This width leaves space for a word.
    private static let least = 40

    /// Makes the parser treat a very narrow terminal as a wider one. The terminal then wraps the lines itself.
    ///
    /// The parser checks the environment before the terminal, and not all of its functions accept a width.
    public static func ensure() {
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
        guard let width = wanted ?? Terminal.output.width, width < least else { return }
        setenv("COLUMNS", String(least), 1)
    }
}
