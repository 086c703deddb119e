// Licensed under the MIT License. See LICENSE.

/// A type whose contents `dump` and `Mirror` hide, because it contains secrets, tokens, or keys.
package protocol EmulatorRedactedReflection: CustomReflectable {}

extension EmulatorRedactedReflection {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
}
