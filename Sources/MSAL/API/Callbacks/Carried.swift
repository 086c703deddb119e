// Licensed under the MIT License. See LICENSE.

/// Carries an app's closure or object from the call that brought it to its only use.
///
/// Some closures and objects of apps are not `Sendable` in Microsoft's API. The library never runs one of them twice at
/// once: telemetry callbacks of Swift 5 code run on a serial queue, delegates of native authentication on the main
/// actor, a cache of the app's own under a lock. External account providers and request interceptors are the exception:
/// several requests may call them at once, on any thread. Their documentation says so.
package struct Carried<Value>: Sendable {
    package nonisolated(unsafe) let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
