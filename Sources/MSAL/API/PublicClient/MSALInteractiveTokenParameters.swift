// Licensed under the MIT License. See LICENSE.

/// A request for a token with user interaction, in the browser.
///
/// ```swift
/// let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"])
/// parameters.loginHint = "megan@contoso.example"
/// parameters.promptType = .selectAccount
/// let result = try await application.acquireToken(with: parameters)
/// ```
public final class MSALInteractiveTokenParameters: MSALTokenParameters {
    /// The prompt; `promptIfNecessary` by default. For a signed-out account, it becomes `login`, unless it is
    /// `consent`.
    public var promptType = MSALPromptType.default

    /// The user name with which to prefill the page. The user may sign in with another.
    public var loginHint: String?

    /// The tenant or type of the user's account: `organizations`, `consumers`, or a domain. It saves the user one
    /// question.
    public var domainHint: String?

    /// Additional scopes that the user should consent to. The token does not include them.
    public var extraScopesToConsent: [String]?

    /// The settings of the browser, a copy of those passed to the initializer.
    public let webviewParameters: MSALWebviewParameters

    /// The sign-in method that the service should prefer.
    public var preferredAuthMethod = MSALPreferredAuthMethod.none

    /// The allowed sign-in modes, in this order; `nil`, the default, lets the library choose. Linux only.
    ///
    /// If none of them works, the request fails with the detail -42008, and the error's description states the reasons.
    /// An empty list, or a mode that this version does not know, fails with -42000. A mode in this list is tried even
    /// without a terminal.
    public var modes: [MSALSignInMode]?

    /// Shows the code of a sign-in with a device code; see ``MSALDeviceCodeState``. Linux only.
    ///
    /// Called on any thread. Without it, the request cannot use a device code. With it, a device code is the last
    /// sign-in mode that the library tries.
    public var onDeviceCode: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - webviewParameters: The settings of the browser; copied.
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.copied
        super.init(scopes: scopes)
    }

    /// Creates parameters for the system browser, the usual choice on Linux.
    public override convenience init(scopes: [String]) {
        self.init(scopes: scopes, webviewParameters: MSALWebviewParameters())
    }

    /// The type of browser.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var webviewType: MSALWebviewType {
        get { webviewParameters.webviewType }
        set { webviewParameters.webviewType = newValue }
    }

    /// The app's own web view, which cannot be used on Linux.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var customWebview: AnyObject? {
        get { webviewParameters.customWebview }
        set { webviewParameters.customWebview = newValue }
    }

    /// The object from which the page is presented.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var parentViewController: AnyObject? {
        get { webviewParameters.parentViewController }
        set { webviewParameters.parentViewController = newValue }
    }
}
