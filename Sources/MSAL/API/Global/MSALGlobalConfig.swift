// Licensed under the MIT License. See LICENSE.

public import Dispatch
private import Synchronization

/// The settings that all applications of this process share. It has class members only.
public final class MSALGlobalConfig: NSObject {
    /// How requests are timed and repeated.
    public static let httpConfig = MSALHTTPConfig()

    /// What is told about finished requests, and to whom.
    public static let telemetryConfig = MSALTelemetryConfig()

    /// What is logged, and to whom.
    public static let loggerConfig = MSALLoggerConfig()

    private static let choices = Mutex(Choices())

    private struct Choices {
        var brokerAvailability = MSALBrokeredAvailability.auto
        var webviewType = MSALWebviewType.default
        var completionBlockQueue: DispatchQueue?
    }

    /// Whether a broker may be used; `auto` by default. This version of the library asks none, whatever is set.
    public static var brokerAvailability: MSALBrokeredAvailability {
        get { choices.withLock { $0.brokerAvailability } }
        set { choices.withLock { $0.brokerAvailability = newValue } }
    }

    /// Where the completion blocks run of all calls whose parameters name no `completionBlockQueue`; `nil` by default.
    /// Linux only.
    ///
    /// For programs whose main loop does not serve the main queue: name a queue from which they hand work to their
    /// loop. It counts for every block, also for those that come before a call returns where no queue is named. What
    /// is set when a call begins counts.
    public static var defaultCompletionBlockQueue: DispatchQueue? {
        get { choices.withLock { $0.completionBlockQueue } }
        set { choices.withLock { $0.completionBlockQueue = newValue } }
    }

    /// The browser surface of requests that set none; on Linux every type is the system's browser.
    @available(*, deprecated, message: "Set webviewType of MSALWebviewParameters.")
    public static var defaultWebviewType: MSALWebviewType {
        get { choices.withLock { $0.webviewType } }
        set { choices.withLock { $0.webviewType = newValue } }
    }
}

/// Whether the library may hand work to a broker.
public enum MSALBrokeredAvailability: Int, Sendable {
    /// Use a broker when one is there.
    case auto = 0
    /// Never use a broker. Write the type name where an optional is expected.
    case none = 1
}
