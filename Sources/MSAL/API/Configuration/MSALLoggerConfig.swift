// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The level of a log line, and the limit for logging.
public enum MSALLogLevel: Int, Sendable {
    /// Logs nothing.
    case nothing = 0
    /// Logs failures.
    case error = 1
    /// Logs failures, and what may lead to them.
    case warning = 2
    /// Also logs the calls of the app and the operations of the store. This is the default level.
    case info = 3
    /// Logs everything, with a line for each request: its URL without the query, the status, and the duration.
    case verbose = 4

    /// The most detailed level.
    public static var last: MSALLogLevel { .verbose }
}

/// The masking of personal data in log lines. Tokens and other secrets never appear.
public enum MSALLogMaskingLevel: Int, Sendable {
    /// Mask values that identify users or organizations; the default.
    case settingsMaskAllPII = 0
    /// Mask values that identify a person. IDs of tenants and objects are not masked.
    case settingsMaskEUIIOnly = 1
    /// Mask secrets only.
    case settingsMaskSecretsOnly = 2
}

/// Receives a log line: its level, its text, and whether it may contain personal data.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void

/// The level, masking and receiver of log lines. Nothing is logged until a callback is set.
///
/// Thread-safe.
public final class MSALLoggerConfig: NSObject, Sendable {
    private let log: LogWriter
    private let held = Mutex<(@Sendable (MSALLogLevel, String?, Bool) -> Void)?>(nil)

    package init(log: LogWriter = .shared) { self.log = log }

    /// The most detailed level for the callback; `info` by default.
    public var logLevel: MSALLogLevel {
        get { log.level }
        set { log.level = newValue }
    }

    /// The current masking; by default, everything is masked.
    public var logMaskingLevel: MSALLogMaskingLevel {
        get { log.masking }
        set { log.masking = newValue }
    }

    /// Sets the callback, once per process.
    ///
    /// A second call has no effect, and the first callback receives a line that reports it as an error. Lines are
    /// delivered one by one on a background queue.
    @preconcurrency
    public func setLogCallback(_ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void) {
        if log.setReceiver(callback) { held.withLock { $0 = callback } }
    }

    /// Returns when every line written so far has been delivered to the callback. Linux only.
    ///
    /// Call it before the program exits; otherwise the last lines are lost. Do not call it from the callback.
    public func flush() { log.flush() }

    /// The callback. Until the app sets one, it does nothing.
    public func callback() -> MSALLogCallback {
        guard let callback = held.withLock({ $0 }) else { return { _, _, _ in } }
        return callback
    }

    /// Whether lines may contain personal data.
    @available(*, deprecated, message: "Use logMaskingLevel.")
    public var piiEnabled: Bool {
        get { logMaskingLevel == .settingsMaskSecretsOnly }
        set { logMaskingLevel = newValue ? .settingsMaskSecretsOnly : .settingsMaskAllPII }
    }
}

/// The logger of MSAL 0.x and 1.x. It shares the settings of ``MSALGlobalConfig/loggerConfig``.
@available(*, deprecated, message: "Use MSALGlobalConfig.loggerConfig.")
public final class MSALLogger: NSObject, Sendable {
    private static let only = MSALLogger()

    /// The shared instance.
    public static func shared() -> MSALLogger { only }

    /// The most detailed level for the callback.
    public var level: MSALLogLevel {
        get { MSALGlobalConfig.loggerConfig.logLevel }
        set { MSALGlobalConfig.loggerConfig.logLevel = newValue }
    }

    /// Whether lines may contain personal data.
    public var piiLoggingEnabled: Bool {
        get { MSALGlobalConfig.loggerConfig.piiEnabled }
        set { MSALGlobalConfig.loggerConfig.piiEnabled = newValue }
    }

    /// Sets the callback, once per process.
    @preconcurrency
    public func setCallback(_ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void) {
        MSALGlobalConfig.loggerConfig.setLogCallback(callback)
    }
}
