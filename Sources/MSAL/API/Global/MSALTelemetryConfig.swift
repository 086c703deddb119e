// Licensed under the MIT License. See LICENSE.

private import Dispatch
private import Synchronization

/// Takes what is told about one finished request, as pairs of text.
public typealias MSALTelemetryCallback = ([String: String]) -> Void

/// What is told about finished requests, and to whom. Nothing leaves the process by this way.
///
/// Each finished token request gives one event: `api`, `correlation_id`, `is_successful`, `response_time` in
/// milliseconds, `token_source` or `error_domain` and `error_code`; with ``piiEnabled`` also `user_id`. Safe to use
/// from any thread.
public final class MSALTelemetryConfig: NSObject, Sendable {
    private struct Settings {
        var piiEnabled = false
        var notifyOnFailureOnly = false
        var callback: Carried<MSALTelemetryCallback>?
    }

    private let settings = Mutex(Settings())
    // Requests end at the same time; their events arrive one after another.
    private let queue = DispatchQueue(label: "msal.telemetry")

    package override init() {}

    /// Whether the user's id is in events; `false` by default.
    public var piiEnabled: Bool {
        get { settings.withLock { $0.piiEnabled } }
        set { settings.withLock { $0.piiEnabled = newValue } }
    }

    /// Whether only failed requests are told; `false` by default.
    public var notifyOnFailureOnly: Bool {
        get { settings.withLock { $0.notifyOnFailureOnly } }
        set { settings.withLock { $0.notifyOnFailureOnly = newValue } }
    }

    /// Receives the events, one by one on a background queue; `nil` by default.
    public var telemetryCallback: MSALTelemetryCallback? {
        get { settings.withLock { $0.callback }?.value }
        set {
            let carried = newValue.map(Carried.init)
            settings.withLock { $0.callback = carried }
        }
    }

    /// Hands an event to the app, if it wants this one; `userID` is added where the app asked for it.
    package func report(_ event: @autoclosure () -> [String: String], isFailure: Bool, userID: String?) {
        let settings = settings.withLock { $0 }
        guard let callback = settings.callback, isFailure || !settings.notifyOnFailureOnly else { return }
        var event = event()
        if settings.piiEnabled { event["user_id"] = userID }
        queue.async { [event] in callback.value(event) }
    }

    /// Returns when every event reported so far has been handed over.
    package func flush() {
        queue.sync {}
    }
}

/// The telemetry object of MSAL 0.x and 1.x: another face of ``MSALGlobalConfig/telemetryConfig``.
@available(*, deprecated, message: "Use MSALGlobalConfig.telemetryConfig.")
public final class MSALTelemetry: NSObject, Sendable {
    private static let only = MSALTelemetry()

    /// The one object.
    public static func sharedInstance() -> MSALTelemetry { only }

    /// Whether the user's id is in events.
    public var piiEnabled: Bool {
        get { MSALGlobalConfig.telemetryConfig.piiEnabled }
        set { MSALGlobalConfig.telemetryConfig.piiEnabled = newValue }
    }

    /// Whether only failed requests are told.
    public var notifyOnFailureOnly: Bool {
        get { MSALGlobalConfig.telemetryConfig.notifyOnFailureOnly }
        set { MSALGlobalConfig.telemetryConfig.notifyOnFailureOnly = newValue }
    }

    /// Receives the events.
    public var telemetryCallback: MSALTelemetryCallback? {
        get { MSALGlobalConfig.telemetryConfig.telemetryCallback }
        set { MSALGlobalConfig.telemetryConfig.telemetryCallback = newValue }
    }
}
