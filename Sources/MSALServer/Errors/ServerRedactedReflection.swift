// Licensed under the MIT License. See LICENSE.

/// A type of which `dump` and `Mirror` show nothing, because it holds secrets, tokens or variables.
///
/// `MSAL` has the same protocol for its own types. A public type cannot conform to one of a module that apps do not import.
package protocol ServerRedactedReflection: CustomReflectable {}

extension ServerRedactedReflection {
    /// A mirror without children, also for subclasses.
    public var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
}
