// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-out.
public final class MSALSignoutParameters: MSALParameters {
    /// The settings of the browser. They are a copy of those that the initialiser got.
    public let webviewParameters: MSALWebviewParameters

    /// Whether the app passed web view parameters. A sign-out in the browser needs them.
    package let hasWebviewParameters: Bool

    /// Whether to end the browser's session too; `false` by default. This needs web view parameters. Without them the
    /// sign-out fails with the detail -42000.
    public var signoutFromBrowser = false

    /// Whether to remove the account for all clients of the store; `false` by default.
    public var wipeAccount = false

    /// Whether to erase the whole store, with the accounts of all its clients and the older copies beside it; `false`
    /// by default. Every program of the group then has to sign in again.
    public var wipeCacheForAllAccounts = false

    /// Further query parameters for the sign-out page.
    public var extraQueryParameters: [String: String]?

    /// Called once with the outcome of the sign-out in the browser, if ``signoutFromBrowser`` is `true` and the sign-out
    /// page was reached or the service has none. Linux only.
    ///
    /// It is called on any thread, before the sign-out call ends. The tokens on this machine are removed in every case.
    public var onSignOutOutcome: (@Sendable (MSALSignoutOutcome) -> Void)?

    /// Called when a sign-out succeeds and nothing confirms the end of the browser's session: the outcome is
    /// ``MSALSignoutOutcome/closed`` or ``MSALSignoutOutcome/timedOut``. Linux only.
    @available(*, deprecated, message: "Use onSignOutOutcome, which has the reason.")
    public var onUnconfirmed: (@Sendable () -> Void)? {
        get { unconfirmed }
        set { unconfirmed = newValue }
    }

    /// The value of ``onUnconfirmed``.
    var unconfirmed: (@Sendable () -> Void)?

    /// Parameters for a sign-out without the browser.
    public override init() {
        webviewParameters = MSALWebviewParameters()
        hasWebviewParameters = false
    }

    /// - Parameter webviewParameters: The settings of the browser; copied.
    public init(webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.copied
        hasWebviewParameters = true
    }
}
