// Licensed under the MIT License. See LICENSE.

/// A sign-in mode. It decides from the facts about the machine and the request whether it would work.
///
/// To add a mode, add a conforming type, its name, and its line in `SignInModeSelector.all`.
package protocol SignInModeRule: Sendable {
    var name: SignInMode { get }

    func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment
}

/// The names of the sign-in modes, as the command and the public API spell them.
package enum SignInMode: String, Sendable, Hashable, CaseIterable {
    /// The identity broker of this machine, which may need no page at all.
    case broker
    /// The browser of this machine, which redirects to a port of this machine.
    case browser
    /// The browser of this machine, which redirects to the app's own redirect URI.
    case appRedirect = "app-redirect"
    /// A browser on any machine; the user pastes the address on which it ended.
    case paste
    /// A browser on any machine, in which the user types a code (RFC 8628).
    case deviceCode = "device-code"
}

/// The facts about a request that determine its sign-in mode.
package struct SignInModeRequest: Sendable, Hashable {
    /// The receiver of the redirect.
    package enum Redirect: Sendable, Hashable {
        case loopback
        /// A scheme of the app's own, which this text names.
        case scheme(String)
        /// A page of the web that is the app's.
        case web
    }

    var redirect: Redirect
    /// Whether the app shows the page's address to the user.
    package var showsAddress = false
    /// Whether the app disables the browser.
    package var opensNoBrowser = false
    /// Whether the app asks for the address on which the browser ended.
    package var canPaste = false
    /// Whether the app shows a device code.
    package var showsDeviceCode = false
    /// Whether the authority is one that has no device codes: user flows of B2C and External ID.
    package var hasUserFlows = false
    /// The reason why no broker may be used, without a full stop; `nil` if one may.
    var brokerRefusal: String?
    /// The only sign-in modes that may be used, in this order; `nil` for the default choice.
    package var forced: [SignInMode]?

    package init(redirect: Redirect) { self.redirect = redirect }
}

/// Whether a sign-in mode would work here, and why.
package struct SignInModeAssessment: Sendable, Hashable {
    /// Greater for modes that work better here.
    package enum Suitability: Int, Sendable, Hashable, Comparable {
        case impossible
        /// The user has to open an address by hand, on this machine.
        case lastResort
        case good

        package static func < (left: Suitability, right: Suitability) -> Bool { left.rawValue < right.rawValue }
    }

    let suitability: Suitability
    /// The reason, in one sentence without a full stop.
    package let reason: String

    static func impossible(_ reason: String) -> SignInModeAssessment { .init(suitability: .impossible, reason: reason) }
    static func lastResort(_ reason: String) -> SignInModeAssessment { .init(suitability: .lastResort, reason: reason) }
    static func good(_ reason: String) -> SignInModeAssessment { .init(suitability: .good, reason: reason) }
}
