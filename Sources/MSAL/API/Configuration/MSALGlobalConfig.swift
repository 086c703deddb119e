// Licensed under the MIT License. See LICENSE.

public import Dispatch
import MSALBase
private import Synchronization

/// The settings that all applications of this process share. It has only class members.
public final class MSALGlobalConfig: NSObject {
    /// The timeouts and retries of requests.
    public static let httpConfig = MSALHTTPConfig()

    /// The telemetry events of finished requests, and their receiver.
    public static let telemetryConfig = MSALTelemetryConfig()

    /// The level, masking and receiver of log lines.
    public static let loggerConfig = MSALLoggerConfig()

    private static let choices = Mutex(Choices())

    private struct Choices {
        var brokerAvailability = MSALBrokeredAvailability.auto
        var webviewType = MSALWebviewType.default
        var completionBlockQueue: DispatchQueue?
        var asksForBoundRefreshTokens = false
        var allowsEmulator = true
    }

    /// Whether the identity broker of this machine may be used; `auto` by default. Each call reads it when it begins.
    ///
    /// The broker is used for all authorities of Microsoft Entra ID except `consumers`. Applications with
    /// `bypassRedirectURIValidation` do not use it. The app registration needs the redirect URI
    /// `https://login.microsoftonline.com/common/oauth2/nativeclient` under "Mobile and desktop applications".
    public static var brokerAvailability: MSALBrokeredAvailability {
        get { choices.withLock { $0.brokerAvailability } }
        set { choices.withLock { $0.brokerAvailability = newValue } }
    }

    /// Whether to request refresh tokens that are bound to the device; `false` by default.
    ///
    /// It has no effect on Linux because identity brokers on Linux do not issue such tokens. The library requests
    /// regular refresh tokens. If the app sets it to `true`, that is logged.
    public static var shouldRequestBoundAppRefreshTokens: Bool {
        get { choices.withLock { $0.asksForBoundRefreshTokens } }
        set {
            let isSwitchedOn = choices.withLock { choices in
                defer { choices.asksForBoundRefreshTokens = newValue }
                return newValue && !choices.asksForBoundRefreshTokens
            }
            guard isSwitchedOn else { return }
            Log.warning("shouldRequestBoundAppRefreshTokens has no effect: on Linux refresh tokens are never bound.")
        }
    }

    /// The queue for the completion blocks of calls whose parameters have no `completionBlockQueue`; `nil` by default.
    /// Linux only.
    ///
    /// A program whose main loop does not service the main queue sets a queue from which it dispatches work to its
    /// loop. All completion blocks then run on that queue. Without a queue, some blocks run before the call returns;
    /// with a queue, none does. A call reads the setting when it begins.
    public static var defaultCompletionBlockQueue: DispatchQueue? {
        get { choices.withLock { $0.completionBlockQueue } }
        set { choices.withLock { $0.completionBlockQueue = newValue } }
    }

    /// Whether the environment variable `MSAL_EMULATOR` may redirect this process's applications to an emulator; `true`
    /// by default. Linux only.
    ///
    /// An application reads it when it is created. With `false`, creating one fails while the variable is set, so that
    /// the emulator cannot be mistaken for the service or vice versa. Programs with elevated privileges ignore the
    /// variable.
    public static var allowsEmulator: Bool {
        get { choices.withLock { $0.allowsEmulator } }
        set { choices.withLock { $0.allowsEmulator = newValue } }
    }

    /// The browser surface of requests that do not set one; on Linux, every type is the system browser.
    @available(*, deprecated, message: "Set webviewType of MSALWebviewParameters.")
    public static var defaultWebviewType: MSALWebviewType {
        get { choices.withLock { $0.webviewType } }
        set { choices.withLock { $0.webviewType = newValue } }
    }
}

/// Whether the library may use a broker.
public enum MSALBrokeredAvailability: Int, Sendable {
    /// Use a broker if one is available.
    case auto = 0
    /// Never use a broker. Where Swift expects an optional, write `MSALBrokeredAvailability.none` because `.none` means
    /// `nil` there.
    case none = 1
}
