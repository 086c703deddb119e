// Licensed under the MIT License. See LICENSE.

/// Carries an app's closure or object from the call that brought it to the one place where it is used.
///
/// Some of what apps hand over is not `Sendable` in Microsoft's API, and yet the library runs none of it at two places
/// at once: telemetry callbacks of Swift 5 code on a serial queue; delegates of native authentication on the main
/// actor; a cache of the app's own under a lock. Two kinds of objects are the exception, and say so: external account
/// providers and request interceptors are called on any thread, by several requests at once.
package struct Carried<Value>: Sendable {
    package nonisolated(unsafe) let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
