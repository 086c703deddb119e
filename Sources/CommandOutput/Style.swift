// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Colors. They are used on a terminal, unless `NO_COLOR` is set.
public struct Style: Sendable, Equatable {
    /// Text without colors.
    public static let plain = Style(isColored: false)

    private let isColored: Bool

    /// Creates a style with or without colors.
    public init(isColored: Bool) { self.isColored = isColored }

    /// The style for a stream, according to the user's environment.
    public init(_ terminal: Terminal, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // no-color.org: any value except an empty one disables colors.
        isColored = terminal.isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Bold, for the most important part of a line.
    public func strong(_ value: String) -> TerminalText { paint(value, code: "1") }
    /// Green, for a success.
    public func good(_ value: String) -> TerminalText { paint(value, code: "32") }
    /// Bold red, for a failure.
    public func problem(_ value: String) -> TerminalText { paint(value, code: "31;1") }
    /// Faint, for a part of a line that the reader may skip.
    public func faint(_ value: String) -> TerminalText { paint(value, code: "2") }

    /// White on black, for an image that the terminal's own colors would distort.
    public func whiteOnBlack(_ value: String) -> TerminalText { paint(value, code: "97;40") }

    private func paint(_ value: String, code: String) -> TerminalText {
        isColored ? TerminalText(written: "\u{1B}[\(code)m\(value.visible)\u{1B}[0m") : "\(value)"
    }
}
