// Licensed under the MIT License. See LICENSE.

/// Text that a person may be shown: the command's own words, around values that come from elsewhere.
///
/// A literal is shown as it is written, with its lines. An interpolated value becomes visible: its control
/// characters, line breaks and marks of writing direction show as characters, so that no server, file or user name can
/// move the cursor, colour the screen, or write a line that looks like one of the command's.
///
/// Nothing else reaches a ``Terminal`` as text, and only ``Style`` adds colours.
public struct TerminalText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text with its values visible.
    public private(set) var description: String

    /// Characters that are known to be harmless.
    init(written: String) {
        description = written
    }

    /// The command's own words, which stand as they are.
    public init(stringLiteral words: String) {
        description = words
    }

    /// The command's own words around values, which become visible.
    public init(stringInterpolation words: Interpolation) {
        description = words.text
    }

    /// A document that is shown by itself, such as a help page or the body of a response: it keeps its lines and tabs.
    public init(lines document: String) {
        description = document.visible { $0 == "\n" || $0 == "\t" }
    }

    /// JSON, in which the same characters become `\u` escapes: it stays the same JSON.
    public init(json: String) {
        description = json.escapedJSON
    }

    /// The parts of a literal in their order.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// An empty text with room for its parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        /// Adds the command's own words.
        public mutating func appendLiteral(_ words: String) {
            text += words
        }

        /// Adds text as it is: its values are visible already.
        public mutating func appendInterpolation(_ part: TerminalText) {
            text += part.description
        }

        /// Adds a value, visibly.
        public mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
            text += value.description.visible
        }
    }

    /// The one text before the other.
    public static func + (first: TerminalText, second: TerminalText) -> TerminalText {
        TerminalText(written: first.description + second.description)
    }
}

extension Sequence where Element == TerminalText {
    /// The texts, one after the other.
    public func joined(separator: TerminalText = "") -> TerminalText {
        TerminalText(written: map(\.description).joined(separator: separator.description))
    }
}
