// Licensed under the MIT License. See LICENSE.

/// A request for a token with the user's help, in the browser.
public final class MSALInteractiveTokenParameters: MSALTokenParameters {
    /// What the service shall ask; `promptIfNecessary` by default. For a signed-out account it becomes `login`,
    /// unless it is `consent`.
    public var promptType = MSALPromptType.default

    /// The user name to fill in. The user may sign in with another.
    public var loginHint: String?

    /// Where the user's account lives, which spares a question: `organizations`, `consumers` or a domain.
    public var domainHint: String?

    /// Scopes to consent to on the way, which the token does not carry.
    public var extraScopesToConsent: [String]?

    /// How the page is shown; a copy of what the initialiser got.
    public let webviewParameters: MSALWebviewParameters

    /// Which way of signing in the service shall prefer.
    public var preferredAuthMethod = MSALPreferredAuthMethod.none

    /// - Parameters:
    ///   - scopes: The scopes wanted.
    ///   - webviewParameters: How the page is shown; copied.
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.copied
        super.init(scopes: scopes)
    }

    /// Parameters with the system's browser, the natural form on Linux.
    public override convenience init(scopes: [String]) {
        self.init(scopes: scopes, webviewParameters: MSALWebviewParameters())
    }

    /// The browser surface.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var webviewType: MSALWebviewType {
        get { webviewParameters.webviewType }
        set { webviewParameters.webviewType = newValue }
    }

    /// A web view of the app's own, which Linux cannot use.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var customWebview: AnyObject? {
        get { webviewParameters.customWebview }
        set { webviewParameters.customWebview = newValue }
    }

    /// The object that the page is presented from.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var parentViewController: AnyObject? {
        get { webviewParameters.parentViewController }
        set { webviewParameters.parentViewController = newValue }
    }
}
