// Licensed under the MIT License. See LICENSE.

private import Dispatch
private import Synchronization

/// Receives the event of one finished request, as pairs of strings.
public typealias MSALTelemetryCallback = ([String: String]) -> Void

/// The telemetry events of finished requests, and their receiver. The library sends the events nowhere else.
///
/// Each finished token request results in one event: `api`, `correlation_id`, `is_successful`, `response_time` in
/// milliseconds, `token_source` or `error_domain` and `error_code`; with ``piiEnabled``, also `user_id`. Thread-safe.
public final class MSALTelemetryConfig: NSObject, Sendable {
    private struct Settings {
        var piiEnabled = false
        var notifyOnFailureOnly = false
        var callback: (@Sendable ([String: String]) -> Void)?
    }

    private let settings = Mutex(Settings())
    /// Not part of the settings because every cache hit in memory reads it and must not wait for their lock.
    private let notesSuccesses = Atomic(false)
    // Requests may end concurrently. The queue delivers their events one after another.
    private let queue = DispatchQueue(label: "msal.telemetry")

    package override init() {}

    /// Whether events contain the user's ID; `false` by default.
    public var piiEnabled: Bool {
        get { settings.withLock { $0.piiEnabled } }
        set { settings.withLock { $0.piiEnabled = newValue } }
    }

    /// Whether only failed requests result in events; `false` by default.
    public var notifyOnFailureOnly: Bool {
        get { settings.withLock { $0.notifyOnFailureOnly } }
        set { change { $0.notifyOnFailureOnly = newValue } }
    }

    /// Receives the events, one by one on a background queue; `nil` by default.
    @available(swift, introduced: 6)
    public var telemetryCallback: (@Sendable ([String: String]) -> Void)? {
        get { settings.withLock { $0.callback } }
        set { change { $0.callback = newValue } }
    }

    /// Whether the app has requested the events of successes.
    var wantsSuccesses: Bool { notesSuccesses.load(ordering: .relaxed) }

    private func change(_ body: (inout Settings) -> Void) {
        settings.withLock { settings in
            body(&settings)
            notesSuccesses.store(settings.callback != nil && !settings.notifyOnFailureOnly, ordering: .relaxed)
        }
    }

    /// Passes an event to the app, if it has requested such events. `userID` is added if ``piiEnabled`` is `true`.
    package func report(
        _ event: @autoclosure () -> [String: String],
        isFailure: Bool,
        userID: @autoclosure () -> String?
    ) {
        guard isFailure || wantsSuccesses else { return }
        let settings = settings.withLock { $0 }
        guard let callback = settings.callback, isFailure || !settings.notifyOnFailureOnly else { return }
        var event = event()
        if settings.piiEnabled { event["user_id"] = userID() }
        queue.async { [event] in callback(event) }
    }

    /// Returns when every event reported so far has been delivered.
    package func flush() { queue.sync {} }
}

// `@preconcurrency` works for a closure that an app passes to a function, but not for a closure that it assigns to a
// property: if such a closure used the app's main-actor class, Swift 5 would report an error. Therefore, each language
// mode has its own type.
extension MSALTelemetryConfig {
    /// Receives the events, one by one on a background queue; `nil` by default.
    @available(swift, obsoleted: 6)
    public var telemetryCallback: MSALTelemetryCallback? {
        get {
            let callback = settings.withLock(\.callback)
            return callback
        }
        set {
            let callback = newValue.map(sendable)
            change { $0.callback = callback }
        }
    }
}

/// A callback of Swift 5 code. It is only called on the serial queue.
private func sendable(_ callback: @escaping MSALTelemetryCallback) -> @Sendable ([String: String]) -> Void {
    let carried = UncheckedSendable(callback)
    return { carried.value($0) }
}

/// The telemetry object of MSAL 0.x and 1.x. It shares the settings of ``MSALGlobalConfig/telemetryConfig``.
@available(*, deprecated, message: "Use MSALGlobalConfig.telemetryConfig.")
public final class MSALTelemetry: NSObject, Sendable {
    private static let only = MSALTelemetry()

    /// The shared instance.
    public static func sharedInstance() -> MSALTelemetry { only }

    /// Whether events contain the user's ID.
    public var piiEnabled: Bool {
        get { MSALGlobalConfig.telemetryConfig.piiEnabled }
        set { MSALGlobalConfig.telemetryConfig.piiEnabled = newValue }
    }

    /// Whether only failed requests result in events.
    public var notifyOnFailureOnly: Bool {
        get { MSALGlobalConfig.telemetryConfig.notifyOnFailureOnly }
        set { MSALGlobalConfig.telemetryConfig.notifyOnFailureOnly = newValue }
    }

    /// Receives the events.
    @available(swift, introduced: 6)
    public var telemetryCallback: (@Sendable ([String: String]) -> Void)? {
        get { MSALGlobalConfig.telemetryConfig.telemetryCallback }
        set { MSALGlobalConfig.telemetryConfig.telemetryCallback = newValue }
    }
}

@available(*, deprecated, message: "Use MSALGlobalConfig.telemetryConfig.")
extension MSALTelemetry {
    /// Receives the events.
    @available(swift, obsoleted: 6)
    public var telemetryCallback: MSALTelemetryCallback? {
        get { MSALGlobalConfig.telemetryConfig.telemetryCallback }
        set { MSALGlobalConfig.telemetryConfig.telemetryCallback = newValue.map(sendable) }
    }
}
