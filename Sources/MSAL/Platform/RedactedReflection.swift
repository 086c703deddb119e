// Licensed under the MIT License. See LICENSE.

/// A type of which `dump` and `Mirror` show nothing, because it holds secrets, tokens or variables.
///
/// `MSALServer` has the same protocol for its own types. A public type cannot conform to one of a module that apps do not import.
package protocol RedactedReflection: CustomReflectable {}

extension RedactedReflection {
    /// A mirror without children, for subclasses too.
    public var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
}
