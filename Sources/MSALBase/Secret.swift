// Licensed under the MIT License. See LICENSE.

/// A token, code, verifier, password, or cookie, whose text must not leak into a log, an error, or a screen.
///
/// It prints as `‹redacted›` in every form (interpolation, `dump`, mirrors), and compares in constant time.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text. There is no other access to a secret, so that a reviewer can check every use of this name.
    package let exposed: String

    package init(_ value: String) { exposed = value }

    package var description: String { "‹redacted›" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Compares in a time that does not reveal where the two differ, only possibly their lengths.
    package static func == (left: Secret, right: Secret) -> Bool {
        constantTimeEqual(left.exposed, to: right.exposed)
    }
}

/// Compares two texts in a time that depends only on their lengths.
package func constantTimeEqual(_ left: String, to right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
        right.withUTF8 { right in
            guard left.count == right.count else { return false }
            var difference: UInt8 = 0
            for index in left.indices { difference |= left[index] ^ right[index] }
            return difference == 0
        }
    }
}
