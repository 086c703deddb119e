// Licensed under the MIT License. See LICENSE.

/// A type of which `dump` and `Mirror` show nothing, because it holds secrets, tokens or keys.
package protocol ClosedMirror: CustomReflectable {}

extension ClosedMirror {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
}
