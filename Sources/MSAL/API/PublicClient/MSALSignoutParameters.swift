// Licensed under the MIT License. See LICENSE.

/// The parameters of a sign-out.
public final class MSALSignoutParameters: MSALParameters {
    /// The settings of the browser, a copy of those passed to the initializer.
    public let webviewParameters: MSALWebviewParameters

    /// Whether the app passed web view parameters, which a sign-out in the browser requires.
    package let hasWebviewParameters: Bool

    /// Whether to also end the browser's session; `false` by default. Requires web view parameters; without them, the
    /// sign-out fails with the detail -42000.
    public var signoutFromBrowser = false

    /// Whether to remove the account for all clients of the store; `false` by default.
    public var wipeAccount = false

    /// Whether to erase the whole store, including the accounts of all its clients and the older copies next to it;
    /// `false` by default. Every program of the group then has to sign in again.
    public var wipeCacheForAllAccounts = false

    /// Additional query parameters for the sign-out page.
    public var extraQueryParameters: [String: String]?

    /// Called once with the outcome of the sign-out in the browser, if ``signoutFromBrowser`` is `true` and the
    /// sign-out page was reached or the service has none. Linux only.
    ///
    /// Called on any thread, before the sign-out call ends. The tokens on this machine are always removed.
    public var onSignOutOutcome: (@Sendable (MSALSignoutOutcome) -> Void)?

    /// Called when a sign-out succeeds without confirmation that the browser's session has ended: the outcome is
    /// ``MSALSignoutOutcome/closed`` or ``MSALSignoutOutcome/timedOut``. Linux only.
    @available(*, deprecated, message: "Use onSignOutOutcome, which has the reason.")
    public var onUnconfirmed: (@Sendable () -> Void)? {
        get { unconfirmed }
        set { unconfirmed = newValue }
    }

    /// The value of ``onUnconfirmed``.
    var unconfirmed: (@Sendable () -> Void)?

    /// Creates parameters for a sign-out without the browser.
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

/// The outcome of a sign-out in the browser. Linux only. Later versions may have more, so a switch needs a `default`.
public struct MSALSignoutOutcome: RawRepresentable, Sendable, Hashable {
    /// The name of the outcome, which does not change in later versions.
    public let rawValue: String

    /// The outcome with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The browser's session has ended: the service redirected the browser (OpenID Connect RP-Initiated Logout §3).
    public static let ended = MSALSignoutOutcome(.ended)
    /// The user or the program canceled, so the session may continue: ask the user to close the browser.
    public static let closed = MSALSignoutOutcome(.closed)
    /// The browser did not return in time. Ask the user to check the page, which shows whether the session has ended.
    public static let timedOut = MSALSignoutOutcome(.timedOut)
    /// The authority has no sign-out page, so the session continues. The call fails with the detail -42008.
    public static let notOffered = MSALSignoutOutcome(.notOffered)

    init(_ outcome: SignOutOutcome) { rawValue = outcome.rawValue }
}
