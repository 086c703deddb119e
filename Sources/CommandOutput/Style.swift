// Licensed under the MIT License. See LICENSE.

import Foundation

/// Colours, where they are wanted: on a terminal, unless `NO_COLOR` is set.
package struct Style: Sendable, Equatable {
    package static let plain = Style(isColored: false)

    private let isColored: Bool

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    package init(_ terminal: Terminal, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // no-color.org: any value counts, but not an empty one.
        isColored = terminal.isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    }

    package func strong(_ value: String) -> TerminalText { paint(value, "1") }
    package func good(_ value: String) -> TerminalText { paint(value, "32") }
    package func problem(_ value: String) -> TerminalText { paint(value, "31;1") }
    package func faint(_ value: String) -> TerminalText { paint(value, "2") }

    private func paint(_ value: String, _ code: String) -> TerminalText {
        isColored ? TerminalText(written: "\u{1B}[\(code)m\(value.visible)\u{1B}[0m") : "\(value)"
    }
}
