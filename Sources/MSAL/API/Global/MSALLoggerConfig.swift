// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The level of a log line, and the limit of what is logged.
public enum MSALLogLevel: Int, Sendable {
    /// Logs nothing.
    case nothing = 0
    /// Logs failures.
    case error = 1
    /// Logs failures, and what may lead to them.
    case warning = 2
    /// Logs the calls of the app and the work of the store, too. This is the level if the app sets none.
    case info = 3
    /// Logs everything, with a line for each request: its address without the query, the status and the time it took.
    case verbose = 4

    /// The most detailed level.
    public static var last: MSALLogLevel { .verbose }
}

/// The masking of personal data in log lines. Tokens and other secrets never appear.
public enum MSALLogMaskingLevel: Int, Sendable {
    /// Mask values that identify users or organisations; the default.
    case settingsMaskAllPII = 0
    /// Mask values that identify a person. Ids of tenants and objects stay.
    case settingsMaskEUIIOnly = 1
    /// Mask secrets only.
    case settingsMaskSecretsOnly = 2
}

/// Takes one log line: its level, its text, and whether personal data may be in it.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void

/// The level, masking and receiver of log lines. Nothing is logged until a callback is set.
///
/// Safe to use from any thread.
public final class MSALLoggerConfig: NSObject, Sendable {
    private let log: LogWriter
    private let held = Mutex<(@Sendable (MSALLogLevel, String?, Bool) -> Void)?>(nil)

    package init(log: LogWriter = .shared) {
        self.log = log
    }

    /// The most detailed level that the callback gets; `info` by default.
    public var logLevel: MSALLogLevel {
        get { log.level }
        set { log.level = newValue }
    }

    /// The masking in force; everything is masked by default.
    public var logMaskingLevel: MSALLogMaskingLevel {
        get { log.masking }
        set { log.masking = newValue }
    }

    /// Sets the callback, once per process.
    ///
    /// A second call changes nothing, and the first callback gets a line that reports it as an error. Lines arrive one
    /// by one on a background queue.
    @preconcurrency
    public func setLogCallback(_ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void) {
        if log.setReceiver(callback) { held.withLock { $0 = callback } }
    }

    /// Returns when every line written so far has been handed to the callback. Linux only.
    ///
    /// A program calls it before it ends, or it loses its last lines. Do not call it from the callback.
    public func flush() {
        log.flush()
    }

    /// The callback. Until the app sets one, it is a callback that does nothing.
    public func callback() -> MSALLogCallback {
        guard let callback = held.withLock({ $0 }) else { return { _, _, _ in } }
        return callback
    }

    /// Whether personal data may be in lines.
    @available(*, deprecated, message: "Use logMaskingLevel.")
    public var piiEnabled: Bool {
        get { logMaskingLevel == .settingsMaskSecretsOnly }
        set { logMaskingLevel = newValue ? .settingsMaskSecretsOnly : .settingsMaskAllPII }
    }
}

/// The logger of MSAL 0.x and 1.x. It has the same settings as ``MSALGlobalConfig/loggerConfig``.
@available(*, deprecated, message: "Use MSALGlobalConfig.loggerConfig.")
public final class MSALLogger: NSObject, Sendable {
    private static let only = MSALLogger()

    /// The one logger.
    public static func shared() -> MSALLogger { only }

    /// The most detailed level that the callback gets.
    public var level: MSALLogLevel {
        get { MSALGlobalConfig.loggerConfig.logLevel }
        set { MSALGlobalConfig.loggerConfig.logLevel = newValue }
    }

    /// Whether personal data may be in lines.
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
