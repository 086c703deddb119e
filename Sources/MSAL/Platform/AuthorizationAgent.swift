// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore
import NIOCore

/// Opens the authorization server's page for the user and returns the parameters of the redirect.
package protocol AuthorizationAgent: Sendable {
    /// Makes one visit.
    ///
    /// - Returns: The parameters of the redirect. Their state is checked already; an `error` of the server among
    ///   them is left to the caller.
    /// - Throws: `AgentError` if the user did not return, no browser is available, or the response is rejected.
    func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn

    /// The facts about the machine that decide how a user can sign in. Nothing is started.
    ///
    /// `browserCommand`: The app's own command for a browser, if it has one. An empty one opens no browser.
    func signInEnvironment(browserCommand: [String]?) async -> SignInEnvironment
}

extension AuthorizationAgent {
    /// An agent that does not describe its machine counts as a browser itself.
    package func signInEnvironment(browserCommand: [String]?) async -> SignInEnvironment {
        var signInEnvironment = SignInEnvironment()
        signInEnvironment.launchers = ["browser"]
        return signInEnvironment
    }
}

/// One visit of the authorization server with a browser, as configured by the caller.
package struct AuthorizationVisit: Sendable {
    /// The address at which the response arrives.
    package enum Redirect: Sendable, Hashable {
        /// An HTTP listener on this machine. `host` stands in the redirect URI (`localhost`, `127.0.0.1` or `[::1]`).
        /// `port` is `nil` for any free one. `path` is empty or begins with a slash.
        case loopback(host: String, port: Int?, path: String)
        /// A URI with the app's own scheme, which the app passes to `RedirectInbox`.
        case scheme(URL)
    }

    /// The reason for the visit. The pages that follow it name the reason.
    package enum Purpose: Sendable, Hashable {
        case signIn
        case signOut
    }

    package var redirect: Redirect
    /// The text that must come back as `state`, encoded exactly as it was sent.
    package var expectedState: String
    package var responseMode = ResponseMode.formPost
    var purpose = Purpose.signIn
    package var window = BrowserWindow()
    /// The time that the user has. It is five minutes by default (docs/reference/RedirectURIs.md#receiver).
    var timeout = Duration.seconds(300)
    /// The program that opens the URL, with its arguments. It is tried before any other. `%s` stands for the URL. An empty
    /// command opens no browser at all.
    var browserCommand: [String]?
    /// The address of this machine on which the listener waits, besides those that only this machine reaches.
    var listenAddress: ListenAddress?
    /// Asks for the address on which a browser elsewhere ended. Such a visit starts no browser and calls neither `onOpen`
    /// nor `onLaunch` of the window. The redirect is waited for meanwhile.
    package var paste: PasteRequest?
    /// Whether another sign-in mode follows if no browser can be started. If so, the visit ends with `.noBrowser`
    /// although the app shows the address.
    var isFollowedByAnotherMode = false
    /// Whether a user can open the URL if no browser can be started. If not, the visit ends with `.noBrowser`
    /// although the app shows the address.
    var isAttended = true
    /// Builds the URL to open. The redirect URI is known once the listener has a port.
    package var url: @Sendable (_ redirectURI: String) -> URL
}

/// The app's options and callbacks for the browser window.
package struct BrowserWindow: Sendable {
    /// The app's window as a desktop portal identifier: `x11:<id in hexadecimal>` or `wayland:<exported handle>`.
    package var parent: String?
    /// Whether the caller wants a private window. A browser without one opens a usual window.
    var isPrivate = false
    /// Called before a usual window is opened instead of a private one. The caller may cancel the visit's task in it.
    var onUsualWindow: (@Sendable () -> Void)?
    /// Receives the URL once, before a browser is started, so that a program can print it. The browser gets another
    /// address, which leads to the URL once, because every user of the machine may read the arguments of a process.
    package var onOpen: (@Sendable (URL) -> Void)?
    /// Called after `onOpen`. It receives whether a browser was started. If not, the user has to open the URL. It is
    /// called again, with `false`, if the program that was started fails before it opened the page.
    package var onLaunch: (@Sendable (_ hasStarted: Bool) -> Void)?
    /// The text of the pages that are shown at the end.
    var pageTexts = LandingTexts()
}

extension AuthorizationVisit {
    /// Whether the visit goes on where no browser can be started: the user may open the URL elsewhere.
    var waitsForManualOpen: Bool { window.onOpen != nil && isAttended && !isFollowedByAnotherMode }
}

/// The result of a visit. It prints the names of the parameters only: one of the values is the code.
package struct AuthorizationReturn: Sendable, CustomStringConvertible, RedactedReflection {
    /// The redirect URI as it was sent, with the real port. The token request repeats it.
    package var redirectURI: String
    /// The parameters of the redirect by name, percent-decoded.
    package var parameters: [String: String]

    package init(redirectURI: String, parameters: [String: String]) {
        self.redirectURI = redirectURI
        self.parameters = parameters
    }

    package var description: String {
        "redirect to \(redirectURI) with \(parameters.keys.sorted().joined(separator: ", "))"
    }
}

/// The failure of a visit that ended without an authorization response.
package struct AgentError: Error, Sendable {
    /// The kinds that a caller treats differently.
    package enum Kind: Sendable, Equatable {
        /// The user or the program canceled.
        case canceled
        /// The user did not come back in time. A closed tab cannot be seen, so this is treated as giving up.
        case timedOut
        /// The redirect URI names a port that another program holds. The app frees it or leaves the port out.
        case portInUse(Int)
        /// No browser can be started. The user opens the printed address, perhaps on another machine.
        case noBrowser
        /// The address that leads to the page was opened twice, perhaps by another user. The app starts again.
        case startedTwice
        /// The response arrived in a response mode that was not requested.
        case invalidResponse
        /// No port of the loopback interface could be opened.
        case listenerFailed
        /// The user asked for the next sign-in mode.
        case declined
    }

    package let kind: Kind
    /// The cause and the remedy. It contains no secret.
    package let message: String

    package init(_ kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

/// An address of this machine on which a listener may wait. A name would have to be looked up, which blocks.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as the kernel writes it.
    let text: String

    /// Reads an address of IPv4 or IPv6; `nil` for any other text.
    init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0), let address = address.ipAddress else {
            return nil
        }
        self.text = address
    }

    package var description: String { text }
}
