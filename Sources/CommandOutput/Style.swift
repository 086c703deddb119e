// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Colours. They are used on a terminal, unless `NO_COLOR` is set.
public struct Style: Sendable, Equatable {
    /// Text as it is.
    public static let plain = Style(isColored: false)

    private let isColored: Bool

    /// A style with colours, or without.
    public init(isColored: Bool) {
        self.isColored = isColored
    }

    /// The style that suits a stream and the user's wish.
    public init(_ terminal: Terminal, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // no-color.org: any value has this effect, except an empty one.
        isColored = terminal.isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Bold letters, for the part of a line that matters most.
    public func strong(_ value: String) -> TerminalText { paint(value, code: "1") }
    /// Green letters, for a success.
    public func good(_ value: String) -> TerminalText { paint(value, code: "32") }
    /// Bold red letters, for a failure.
    public func problem(_ value: String) -> TerminalText { paint(value, code: "31;1") }
    /// Pale letters, for a part of a line that the reader may skip.
    public func faint(_ value: String) -> TerminalText { paint(value, code: "2") }

    /// White on black, for a picture that the terminal's own colours would spoil.
    public func whiteOnBlack(_ value: String) -> TerminalText { paint(value, code: "97;40") }

    private func paint(_ value: String, code: String) -> TerminalText {
        isColored ? TerminalText(written: "\u{1B}[\(code)m\(value.visible)\u{1B}[0m") : "\(value)"
    }
}
