// Licensed under the MIT License. See LICENSE.

/// Text for people: the command's own text with interpolated values from other sources.
///
/// A literal is written unchanged, including its line breaks. Interpolated values are made visible: their control
/// characters, line breaks, and directional marks are written as visible characters, so that no server, file, or user
/// name can move the cursor, color the screen, or write a line that looks like the command's own.
///
/// Only values of this type reach a ``Terminal`` as text, and only ``Style`` adds colors.
public struct TerminalText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text, with its values made visible.
    public private(set) var description: String

    /// Creates text from characters that are known to be harmless.
    init(written: String) { description = written }

    /// The command's own text, which stays unchanged.
    public init(stringLiteral words: String) { description = words }

    /// The command's own text with values, which are made visible.
    public init(stringInterpolation words: Interpolation) { description = words.text }

    /// A whole document, such as a help page or the body of a response: it keeps its line breaks and tabs.
    public init(lines document: String) {
        description = document.visible { $0 == "\n" || $0 == "\t" }
    }

    /// JSON, in which control characters are replaced by `\u` escapes: its meaning does not change.
    public init(json: String) { description = json.escapedJSON }

    /// The parts of a literal, in order.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty text with capacity for its parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        /// Appends the command's own text.
        public mutating func appendLiteral(_ words: String) { text += words }

        /// Appends text whose values have already been made visible.
        public mutating func appendInterpolation(_ part: TerminalText) { text += part.description }

        /// Appends a value after making it visible.
        public mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
            text += value.description.visible
        }
    }

    /// Concatenates two texts.
    public static func + (first: TerminalText, second: TerminalText) -> TerminalText {
        TerminalText(written: first.description + second.description)
    }
}

extension Sequence where Element == TerminalText {
    /// Joins the texts.
    public func joined(separator: TerminalText = "") -> TerminalText {
        TerminalText(written: map(\.description).joined(separator: separator.description))
    }
}
