// Licensed under the MIT License. See LICENSE.

/// A password, code or token. It prints as `‹redacted›` everywhere: in interpolation, `dump` and mirrors.
struct PrivateText: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself. Every use of this name is a place to review.
    let exposed: String

    init(_ text: String) { exposed = text }

    var description: String { "‹redacted›" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
