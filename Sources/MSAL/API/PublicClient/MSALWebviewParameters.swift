// Licensed under the MIT License. See LICENSE.

/// The settings of the browser that shows the page. On Linux it is always the user's browser.
public final class MSALWebviewParameters: NSObject, NSCopying {
    /// The object from which the page is presented. Linux needs none.
    public var parentViewController: AnyObject?

    /// Whether the page should open in a private browser window, without the cookies of other windows; `false` by
    /// default.
    ///
    /// The library can open a private window of the common browsers if `browserCommand` or `BROWSER` names one of them,
    /// or if the desktop entry of the user's default browser has an action for private windows. In other cases it calls
    /// ``onUsualWindow``, writes a line to the log, and opens the page in a usual window. The private windows of one
    /// browser share their cookies, also with windows that were open before. Sign-out in the browser opens a usual
    /// window.
    public var prefersEphemeralWebBrowserSession = false

    /// The browser surface. Every type opens the system's browser.
    public var webviewType = MSALWebviewType.default

    /// A web view of the app's own. Linux cannot use one: a request with it fails with the detail -42008.
    public var customWebview: AnyObject?

    /// Gets the address of the sign-in page when the library opens the browser, so that a program can print it. Linux
    /// only.
    ///
    /// It is called on any thread, once for each way to sign in that opens a browser on this machine. If no browser can
    /// be started, this closure is not set, and there is no other way to sign in, the request fails with the detail
    /// -42008. If the closure is set, the request waits until somebody opens the address. It waits only if there is a
    /// terminal and this is no automatic build, or if ``MSALInteractiveTokenParameters/ways`` names the way. The
    /// browser is started with another address, which works once and leads to the same page: every user of the machine
    /// may read the arguments of a process.
    public var onOpen: (@Sendable (URL) -> Void)?

    /// Called after ``onOpen``; says whether a browser was started. If none was, ask the user to open the address.
    ///
    /// It is called again, with `false`, if the started program fails before it has opened the page. A program may
    /// start and show no window, so show the address in either case. Linux only.
    public var onLaunch: (@Sendable (_ hasStarted: Bool) -> Void)?

    /// Called before a page opens in a usual window although the app asked for a private one. This happens, for
    /// example, with the desktop portal, which cannot open private windows. Linux only.
    ///
    /// The page uses the account that is signed in to the browser already. An app that must not allow this cancels the
    /// task of the request in this call; then no page opens. It is called on any thread. It is called again if one
    /// program fails and the library tries the next.
    public var onUsualWindow: (@Sendable () -> Void)?

    /// Called when the browser has come back, before the code that it brought is redeemed. Linux only.
    ///
    /// The user has nothing more to do then: only the request to the service is left. It is called on any thread, also
    /// for an address that the user pasted.
    public var onRedirect: (@Sendable () -> Void)?

    /// Asks the user to paste the address at which a browser on another machine ended. Linux only.
    ///
    /// Set it in a program that has a terminal or a window. It is called if no browser of this machine can be started,
    /// and gets everything that the user has to know. It is called again if the library cannot use the pasted text.
    /// ``onOpen`` and ``onLaunch`` are not called in this case. Meanwhile the library waits for the redirect. If the
    /// redirect comes, or the request ends for another reason, the library cancels the task of this call and does not
    /// use its result.
    public var onPaste: (@Sendable (MSALPastePrompt) async -> MSALPasteResult)?

    /// Called when the identity broker has accepted the call to sign the user in. The broker may open a window now.
    /// Linux only.
    ///
    /// Tell the user to look for the window, because it belongs to another program. This is not called if the sign-in
    /// of the device is enough, or if the broker refuses at once. It is called on any thread.
    public var onBroker: (@Sendable () -> Void)?

    /// The texts of the page that the browser shows after the sign-in. Linux only.
    public var landingPage = MSALLandingPage()

    /// Parameters for the system's browser with the default settings. This is the usual choice on Linux.
    public override init() {}

    /// - Parameter parentViewController: Any object. If it adopts ``MSALPresentationParent``, it names the app's
    ///   window.
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
    /// Tells the app that the library calls the broker.
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
/// If the desktop portal starts the browser, it shows its questions above that window (XDG Desktop Portal, "Parent
/// window identifiers"). The library reads the handle when the request is made.
public protocol MSALPresentationParent: AnyObject {
    /// The window: `x11:<id in hexadecimal>` or `wayland:<exported handle>`.
    var parentWindowHandle: String { get }
}

/// The browser surface that shows the page. On Linux every type is the system's browser.
public enum MSALWebviewType: Int, Sendable {
    /// The library chooses.
    case `default` = 0
    /// The system's browser shows the page.
    case authenticationSession = 1
    /// The system's browser shows the page, as with ``authenticationSession``.
    case safariViewController = 2
    /// The system's browser shows the page, as with ``authenticationSession``.
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
/// The name of the notification that the broker has responded. The value of the key `response` is the outcome in a word
/// (String), such as `success` or `canceledByUser`. The notification has no token and no text of the broker.
public let MSALWebAuthDidReceiveResponseFromBroker = "MSALWebAuthDidReceiveResponseFromBroker"
