// Licensed under the MIT License. See LICENSE.

/// One way to sign a user in. It looks at the machine and at the request, and judges whether it would work.
///
/// A new way is a type that conforms, its name, and its line in `SignInModeSelector.all`.
package protocol SignInModeRule: Sendable {
    var name: SignInMode { get }

    func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment
}

/// The names of the ways, as the command and the public API spell them.
package enum SignInMode: String, Sendable, Hashable, CaseIterable {
    /// The identity broker of this machine, which may need no page at all.
    case broker
    /// The browser of this machine, which comes back to a port of this machine.
    case browser
    /// The browser of this machine, which comes back by a redirect URI of the app's own.
    case appRedirect = "app-redirect"
    /// A browser on any machine; the user pastes the address on which it ended.
    case paste
    /// A browser on any machine, in which the user types a code (RFC 8628).
    case deviceCode = "device-code"
}

/// The facts about a request that decide about its way.
package struct SignInModeRequest: Sendable, Hashable {
    /// The place at which the redirect arrives.
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
    /// Whether the app wants no browser to be started.
    package var opensNoBrowser = false
    /// Whether the app asks for the address on which the browser ended.
    package var canPaste = false
    /// Whether the app shows a device code.
    package var showsDeviceCode = false
    /// Whether the authority is one that has no device codes: user flows of B2C and External ID.
    package var hasUserFlows = false
    /// The reason why no broker may be used, in words without a full stop; `nil` where one may.
    var brokerRefusal: String?
    /// The only ways that may be used, in this order; `nil` leaves the choice to the machine.
    package var forced: [SignInMode]?

    package init(redirect: Redirect) { self.redirect = redirect }
}

/// Whether a way would work here, and why.
package struct SignInModeAssessment: Sendable, Hashable {
    /// The better a way works here, the greater.
    package enum Suitability: Int, Sendable, Hashable, Comparable {
        case impossible
        /// Somebody has to open an address by hand, on this very machine.
        case lastResort
        case good

        package static func < (left: Suitability, right: Suitability) -> Bool { left.rawValue < right.rawValue }
    }

    let suitability: Suitability
    /// The reason for the judgement, in one sentence without a full stop.
    package let reason: String

    static func impossible(_ reason: String) -> SignInModeAssessment { .init(suitability: .impossible, reason: reason) }
    static func lastResort(_ reason: String) -> SignInModeAssessment { .init(suitability: .lastResort, reason: reason) }
    static func good(_ reason: String) -> SignInModeAssessment { .init(suitability: .good, reason: reason) }
}
