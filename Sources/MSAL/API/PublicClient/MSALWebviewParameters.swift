// Licensed under the MIT License. See LICENSE.

/// The settings of the browser that shows the page. On Linux, it is always the user's browser.
public final class MSALWebviewParameters: NSObject, NSCopying {
    /// The object from which the page is presented. Not needed on Linux.
    public var parentViewController: AnyObject?

    /// Whether the page should open in a private browser window, without the cookies of other windows; `false` by
    /// default.
    ///
    /// The library can open a private window of common browsers if `browserCommand` or `BROWSER` names one of them, or
    /// if the desktop entry of the user's default browser has an action for private windows. Otherwise, it calls
    /// ``onUsualWindow``, logs that, and opens the page in a regular window. The private windows of a browser share
    /// their cookies, including those of windows that were already open. Sign-out in the browser opens a regular
    /// window.
    public var prefersEphemeralWebBrowserSession = false

    /// The browser surface. Every type opens the system browser.
    public var webviewType = MSALWebviewType.default

    /// The app's own web view, which cannot be used on Linux: a request with it fails with the detail -42008.
    public var customWebview: AnyObject?

    /// Receives the address of the sign-in page when the library opens the browser, so that a program can print it.
    /// Linux only.
    ///
    /// Called on any thread, once for each sign-in mode that opens a browser on this machine. If no browser can be
    /// started, this closure is not set, and no other sign-in mode is available, the request fails with the detail
    /// -42008. If the closure is set, the request waits until the address is opened. It waits only if there is a
    /// terminal and the program does not run in CI, or if ``MSALInteractiveTokenParameters/modes`` includes the mode.
    /// The browser is started with a different address, which works once and leads to the same page: every user of the
    /// machine may read the arguments of a process.
    public var onOpen: (@Sendable (URL) -> Void)?

    /// Called after ``onOpen`` with whether a browser was started. If not, ask the user to open the address.
    ///
    /// Called again, with `false`, if the started program fails before it has opened the page. A program may start
    /// without showing a window, so show the address in both cases. Linux only.
    public var onLaunch: (@Sendable (_ hasStarted: Bool) -> Void)?

    /// Called before a page opens in a regular window although the app requested a private one, for example with the
    /// desktop portal, which cannot open private windows. Linux only.
    ///
    /// The page uses the account that is already signed in to the browser. An app that must not allow this cancels the
    /// task of the request in this call; then no page opens. Called on any thread, and again if one program fails and
    /// the library tries the next.
    public var onUsualWindow: (@Sendable () -> Void)?

    /// Called when the browser has returned, before its code is redeemed. Linux only.
    ///
    /// The user has finished: only the request to the service remains. Called on any thread, also for a pasted address.
    public var onRedirect: (@Sendable () -> Void)?

    /// Asks the user to paste the address at which a browser on another machine ended. Linux only.
    ///
    /// Set it in a program with a terminal or a window. It is called if no browser of this machine can be started, and
    /// receives everything that the user needs to know. It is called again if the pasted text is unusable. ``onOpen``
    /// and ``onLaunch`` are not called in this case. Meanwhile, the library waits for the redirect. If the redirect
    /// arrives, or the request ends for another reason, the library cancels the task of this call and ignores its
    /// result.
    public var onPaste: (@Sendable (MSALPastePrompt) async -> MSALPasteResult)?

    /// Called when the identity broker has accepted the call to sign the user in and may open a window. Linux only.
    ///
    /// Tell the user to look for the window because it belongs to another program. Not called if the device's sign-in
    /// is sufficient, or if the broker refuses immediately. Called on any thread.
    public var onBroker: (@Sendable () -> Void)?

    /// The texts of the page that the browser shows after the sign-in. Linux only.
    public var landingPage = MSALLandingPage()

    /// Creates parameters for the system browser with the default settings, the usual choice on Linux.
    public override init() {}

    /// - Parameter parentViewController: Any object. If it conforms to ``MSALPresentationParent``, it provides the
    ///   app's window.
    public init(authPresentationViewController parentViewController: AnyObject) {
        self.parentViewController = parentViewController
    }

    /// The initializer of MSAL 1.x.
    @available(*, deprecated, renamed: "init(authPresentationViewController:)")
    public init(parentViewController: AnyObject) {
        self.parentViewController = parentViewController
    }

    var parentWindow: String? { (parentViewController as? any MSALPresentationParent)?.parentWindowHandle }

    /// Returns an independent copy.
    public func copy(with zone: NSZone? = nil) -> Any { copied }

    var copied: MSALWebviewParameters {
        let copy = MSALWebviewParameters()
        copy.parentViewController = parentViewController
        copy.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
        copy.webviewType = webviewType
        copy.customWebview = customWebview
        copy.onOpen = onOpen
        copy.onLaunch = onLaunch
        copy.onUsualWindow = onUsualWindow
        copy.onRedirect = onRedirect
        copy.onPaste = onPaste
        copy.onBroker = onBroker
        copy.landingPage = landingPage
        return copy
    }
}

extension MSALWebviewParameters {
    /// Notifies the app that the library calls the broker.
    var brokerCall: @Sendable () -> Void {
        let tell = onBroker
        return {
            NotificationCenter.default.post(name: NSNotification.Name(MSALWebAuthWillSwitchToBrokerApp), object: nil)
            tell?()
        }
    }

    /// Notifies the app that the broker has responded.
    static let postBrokerResponse: @Sendable (String) -> Void = { outcome in
        NotificationCenter.default.post(
            name: NSNotification.Name(MSALWebAuthDidReceiveResponseFromBroker),
            object: nil,
            userInfo: ["response": outcome]
        )
    }
}

/// A window of a Linux desktop program, as an object from which sign-in pages are presented.
///
/// If the desktop portal starts the browser, it shows its dialogs above that window (XDG Desktop Portal, "Parent window
/// identifiers"). The library reads the handle when the request is made.
public protocol MSALPresentationParent: AnyObject {
    /// The window: `x11:<ID in hexadecimal>` or `wayland:<exported handle>`.
    var parentWindowHandle: String { get }
}

/// The browser surface that shows the page. On Linux, every type is the system browser.
public enum MSALWebviewType: Int, Sendable {
    /// The library chooses.
    case `default` = 0
    /// The system browser shows the page.
    case authenticationSession = 1
    /// The system browser shows the page, as with ``authenticationSession``.
    case safariViewController = 2
    /// The system browser shows the page, as with ``authenticationSession``.
    case wkWebView = 3
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NSNotification.Name {
    /// A page begins to load in an embedded view; not posted on Linux, which has none.
    public static let MSALWebAuthDidStartLoad = NSNotification.Name("MSALWebAuthDidStartLoadNotification")
    /// A page has loaded in an embedded view; not posted on Linux, which has none.
    public static let MSALWebAuthDidFinishLoad = NSNotification.Name("MSALWebAuthDidFinishLoadNotification")
    /// An interactive request failed; the `NSError` is under the key `error`.
    public static let MSALWebAuthDidFail = NSNotification.Name("MSALWebAuthDidFailNotification")
    /// An interactive request ended with a token.
    public static let MSALWebAuthDidComplete = NSNotification.Name("MSALWebAuthDidCompleteNotification")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of a notification that the identity broker may open its window to sign the user in; see
/// ``MSALWebviewParameters/onBroker``. Posted on any thread.
public let MSALWebAuthWillSwitchToBrokerApp = "MSALWebAuthWillSwitchToBrokerApp"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of a notification that the broker has responded. The value of the key `response` is the outcome (String),
/// such as `success` or `canceledByUser`. The notification contains no token and no text of the broker.
public let MSALWebAuthDidReceiveResponseFromBroker = "MSALWebAuthDidReceiveResponseFromBroker"
