// Licensed under the MIT License. See LICENSE.

/// Text that a person may be shown: the command's own words, around values that come from elsewhere.
///
/// A literal stands as it is written, with its lines. A value that is interpolated becomes visible: its control
/// characters, line breaks and marks of writing direction show as characters, so that no server, file or user name can
/// move the cursor, colour the screen, or write a line that looks like one of the command's.
///
/// Nothing else reaches a ``Terminal`` as text, and only ``Style`` adds colours.
package struct TerminalText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// What is written.
    package private(set) var description: String

    /// Characters that are known to be harmless.
    init(written: String) {
        description = written
    }

    package init(stringLiteral words: String) {
        description = words
    }

    package init(stringInterpolation words: Interpolation) {
        description = words.text
    }

    /// A document that is shown by itself, such as a help page or the body of an answer: it keeps its lines and tabs.
    package init(lines document: String) {
        description = document.visible { $0 == "\n" || $0 == "\t" }
    }

    /// JSON, in which the same characters become `\u` escapes: it stays the same JSON.
    package init(json: String) {
        description = json.escapedJSON
    }

    /// The parts of a literal in their order.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ words: String) {
            text += words
        }

        /// Adds text as it is: its values are visible already.
        package mutating func appendInterpolation(_ part: TerminalText) {
            text += part.description
        }

        /// Adds a value, visibly.
        package mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
            text += value.description.visible
        }
    }

    package static func + (first: TerminalText, second: TerminalText) -> TerminalText {
        TerminalText(written: first.description + second.description)
    }
}

extension Sequence where Element == TerminalText {
    /// The texts, one after the other.
    package func joined(separator: TerminalText = "") -> TerminalText {
        TerminalText(written: map(\.description).joined(separator: separator.description))
    }
}
