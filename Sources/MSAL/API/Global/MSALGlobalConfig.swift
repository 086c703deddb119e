// Licensed under the MIT License. See LICENSE.

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
    }

    /// Whether a broker may be used; `auto` by default. This version of the library asks none, whatever is set.
    public static var brokerAvailability: MSALBrokeredAvailability {
        get { choices.withLock { $0.brokerAvailability } }
        set { choices.withLock { $0.brokerAvailability = newValue } }
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
