// Licensed under the MIT License. See LICENSE.

/// A request for a token with the user's help, in the browser.
///
/// ```swift
/// let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"])
/// parameters.loginHint = "megan@contoso.example"
/// parameters.promptType = .selectAccount
/// let result = try await application.acquireToken(with: parameters)
/// ```
public final class MSALInteractiveTokenParameters: MSALTokenParameters {
    /// The prompt; `promptIfNecessary` by default. For a signed-out account it becomes `login`, unless it is
    /// `consent`.
    public var promptType = MSALPromptType.default

    /// The user name to fill in. The user may sign in with another.
    public var loginHint: String?

    /// The tenant or kind of the user's account: `organizations`, `consumers` or a domain. It spares a question.
    public var domainHint: String?

    /// Scopes to consent to on the way, which the token does not carry.
    public var extraScopesToConsent: [String]?

    /// The settings of the browser; a copy of the initialiser's.
    public let webviewParameters: MSALWebviewParameters

    /// The way of signing in that the service shall prefer.
    public var preferredAuthMethod = MSALPreferredAuthMethod.none

    /// The only ways that may be used, in this order; `nil`, the default, leaves the choice to the machine. Linux only.
    ///
    /// If none of them works, the request fails with the detail -42008 and the reasons in its description. An empty list,
    /// or a way that this version does not know, fails with -42000. A named way is tried without a terminal, too.
    public var ways: [MSALSignInWay]?

    /// Shows the code of a sign-in with a device code; see ``MSALDeviceCodeState``. Linux only.
    ///
    /// It is called on any thread. Without it a device code is not among the ways of this request. The library chooses it
    /// last.
    public var onDeviceCode: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// - Parameters:
    ///   - scopes: The scopes wanted.
    ///   - webviewParameters: The settings of the browser; copied.
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
