// Licensed under the MIT License. See LICENSE.

/// Carries an app's closure or object from the call that received it to its only use.
///
/// Some closures and objects of apps are not `Sendable` in Microsoft's API. The library never runs one of them
/// concurrently: telemetry callbacks of Swift 5 code run on a serial queue, delegates of native authentication on the
/// main actor, an app's own cache under a lock. External account providers and request interceptors are the exception:
/// several requests may call them concurrently, on any thread. Their documentation says so.
package struct UncheckedSendable<Value>: Sendable {
    package nonisolated(unsafe) let value: Value

    init(_ value: Value) { self.value = value }
}
