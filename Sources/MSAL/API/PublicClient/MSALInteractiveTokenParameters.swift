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

    /// The user name that the page shows already. The user may sign in with another.
    public var loginHint: String?

    /// The tenant or kind of the user's account: `organizations`, `consumers` or a domain. With it, the service asks
    /// one question less.
    public var domainHint: String?

    /// More scopes that the user consents to. The token does not have them.
    public var extraScopesToConsent: [String]?

    /// The settings of the browser. They are a copy of those that the initialiser got.
    public let webviewParameters: MSALWebviewParameters

    /// The way to sign in that the service should prefer.
    public var preferredAuthMethod = MSALPreferredAuthMethod.none

    /// The only ways to sign in that may be used, in this order; `nil`, the default, lets the library choose. Linux
    /// only.
    ///
    /// If none of them works, the request fails with the detail -42008, and the error's description has the reasons. An
    /// empty list, or a way that this version does not know, fails with -42000. A way in this list is tried even
    /// without a terminal.
    public var ways: [MSALSignInWay]?

    /// Shows the code of a sign-in with a device code; see ``MSALDeviceCodeState``. Linux only.
    ///
    /// It is called on any thread. Without it the request cannot use a device code. With it, a device code is the last
    /// way that the library tries.
    public var onDeviceCode: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// - Parameters:
    ///   - scopes: The scopes wanted.
    ///   - webviewParameters: The settings of the browser; copied.
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.copied
        super.init(scopes: scopes)
    }

    /// Parameters for the system's browser, the usual choice on Linux.
    public override convenience init(scopes: [String]) {
        self.init(scopes: scopes, webviewParameters: MSALWebviewParameters())
    }

    /// The kind of browser.
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

    /// The object from which the page is presented.
    @available(*, deprecated, message: "Use webviewParameters.")
    public var parentViewController: AnyObject? {
        get { webviewParameters.parentViewController }
        set { webviewParameters.parentViewController = newValue }
    }
}
