// Licensed under the MIT License. See LICENSE.

/// The settings of the browser that shows the page. On Linux it is always the user's browser.
public final class MSALWebviewParameters: NSObject, NSCopying {
    /// The object that the page is presented from; none is needed.
    public var parentViewController: AnyObject?

    /// Whether a private browser window is wanted, without the cookies of others; `false` by default.
    ///
    /// It is opened by the usual browsers, where `browserCommand` or `BROWSER` names one, or where the desktop entry of
    /// the user's default browser has an action for it; else the page opens in a usual window, with a line in the log, and
    /// ``onUsualWindow`` is called before.
    /// Private windows that are open already share their cookies with it. Sign-out in the browser opens a usual one.
    public var prefersEphemeralWebBrowserSession = false

    /// The browser surface. Every type opens the system's browser.
    public var webviewType = MSALWebviewType.default

    /// A web view of the app's own. Linux cannot use one: a request with it fails with the detail -42008.
    public var customWebview: AnyObject?

    /// Gets the address when the browser is being opened, so that a program can print it. Linux only.
    ///
    /// It is called once for each way that opens a browser here, on any thread. Without it, and without another way, a
    /// request fails with the detail -42008 where no browser can be started. With it the request waits for somebody to
    /// open the address, if there is a terminal and no automatic build, or if
    /// ``MSALInteractiveTokenParameters/ways`` names the way. Programs are started with a one-time address instead, which
    /// leads there: every user of the machine may read the arguments of a process.
    public var onOpen: (@Sendable (URL) -> Void)?

    /// Called after ``onOpen`` with whether a browser was started. If none was, ask the user to open the address.
    ///
    /// It is called again, with `false`, if the started program fails before it has opened the page.
    /// A started program is no proof of a window: show the address in either case. Linux only.
    public var onLaunch: (@Sendable (_ hasStarted: Bool) -> Void)?

    /// Called before a page opens in a usual window although a private one is wanted, as by the desktop portal, which has no
    /// private windows. Linux only.
    ///
    /// Whoever is signed in there is used. An app that must not do so cancels the task of the request in this call: no
    /// page is opened then. It is called on any thread, and again if a program fails and the next is tried.
    public var onUsualWindow: (@Sendable () -> Void)?

    /// Called when the browser has come back, before the code that it brought is redeemed. Linux only.
    ///
    /// The user is done then, and the network is waited for. It is called on any thread, and for a pasted address too.
    public var onRedirect: (@Sendable () -> Void)?

    /// Asks the user for the address on which a browser elsewhere ended. Linux only.
    ///
    /// Set it in a program that has a terminal or a window. It is called where no browser of this machine can be
    /// started, with everything that the user has to know, and again if a text was not taken; ``onOpen`` and
    /// ``onLaunch`` are not called then. The redirect is waited for meanwhile: if the redirect comes, or the request
    /// ends otherwise, the task of this call is cancelled and its result is not used.
    public var onPaste: (@Sendable (MSALPastePrompt) async -> MSALPasteResult)?

    /// Called when the identity broker has taken the call to sign the user in, for which it may open a window. Linux only.
    ///
    /// Tell the user to look for it: the window belongs to another program. It is not called where the sign-in of the device
    /// is enough, and where the broker refuses at once. It is called on any thread.
    public var onBroker: (@Sendable () -> Void)?

    /// The words of the page that the browser shows when it comes back. Linux only.
    public var landingPage = MSALLandingPage()

    /// The system's browser without more, the natural form on Linux.
    public override init() {}

    /// - Parameter parentViewController: Any object. One that adopts ``MSALPresentationParent`` names its window.
    public init(authPresentationViewController parentViewController: AnyObject) {
        self.parentViewController = parentViewController
    }

    /// The initialiser of MSAL 1.x.
    @available(*, deprecated, renamed: "init(authPresentationViewController:)")
    public init(parentViewController: AnyObject) {
        self.parentViewController = parentViewController
    }

    var parentWindow: String? { (parentViewController as? any MSALPresentationParent)?.parentWindowHandle }

    /// A copy that can be changed without changing this one.
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
    /// Tells the app that the broker is asked.
    var brokerCall: @Sendable () -> Void {
        let tell = onBroker
        return {
            NotificationCenter.default.post(name: NSNotification.Name(MSALWebAuthWillSwitchToBrokerApp), object: nil)
            tell?()
        }
    }

    /// Tells the app that the broker has responded.
    static let postBrokerResponse: @Sendable (String) -> Void = { outcome in
        NotificationCenter.default.post(
            name: NSNotification.Name(MSALWebAuthDidReceiveResponseFromBroker),
            object: nil,
            userInfo: ["response": outcome]
        )
    }
}

/// A window of a Linux desktop program, as an object that sign-in pages are presented from.
///
/// Where the desktop portal starts the browser, its questions belong to that window (XDG Desktop Portal, "Parent window
/// identifiers"). The handle is read when the request is made.
public protocol MSALPresentationParent: AnyObject {
    /// The window: `x11:<id in hexadecimal>` or `wayland:<exported handle>`.
    var parentWindowHandle: String { get }
}

/// The browser surface that shows the page. On Linux every type is the system's browser.
public enum MSALWebviewType: Int, Sendable {
    /// The library's choice.
    case `default` = 0
    /// The system's browser.
    case authenticationSession = 1
    /// Treated as the system's browser.
    case safariViewController = 2
    /// Treated as the system's browser.
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
/// The name of the notification that the identity broker may open its window to sign the user in; see
/// ``MSALWebviewParameters/onBroker``. It is posted on any thread.
public let MSALWebAuthWillSwitchToBrokerApp = "MSALWebAuthWillSwitchToBrokerApp"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of the notification after that. Under the key `response` is the outcome in a word (String), such as `success`
/// or `canceledByUser`: no token, and nothing of the broker's own.
public let MSALWebAuthDidReceiveResponseFromBroker = "MSALWebAuthDidReceiveResponseFromBroker"
