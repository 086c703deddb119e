// Licensed under the MIT License. See LICENSE.

/// The failure of a broker call. The kinds are closed, so that a new one does not compile until the client handles it.
package struct BrokerFailure: Error, Sendable, Hashable {
    /// The kinds of failure that callers distinguish (docs/reference/Broker.md#status).
    package enum Kind: Sendable, Hashable {
        /// There is no broker, or it cannot be started. No request was made.
        case absent
        /// The broker hangs, exited, or was replaced. It is unknown whether it processed the call.
        case unreachable
        /// The broker asks the client to make the request without it.
        case passedOver
        /// The broker does not implement the method, or cannot bind a token.
        case unsupported
        /// The broker needs to know for which account to open its window.
        case accountNeeded
        /// The broker requires user interaction.
        case interactionRequired
        /// The broker does not know the account.
        case unknownAccount
        /// The user closed the window.
        case canceledByUser
        /// The calling task was canceled, or the broker reports that the app canceled.
        case canceled
        /// The network is unavailable.
        case noNetwork
        /// The service or the broker fails temporarily. The same call may succeed later.
        case temporary
        /// The request was invalid.
        case invalidRequest
        /// The app's registration is invalid. Usually, the broker's redirect URI is missing there.
        case misconfigured
        /// The broker does not trust the authority.
        case untrustedAuthority
        /// A different user signed in than the one that the app requested.
        case otherUser
        /// The device must be registered first.
        case deviceNotRegistered
        /// The administrator requires the account's data to be removed from this device.
        case removalRequired
        /// The broker reported an error without a specific meaning for the client.
        case unexpected
        /// The broker failed without a status code, and with a text that the client does not know.
        case unexplained
        /// The broker's response is invalid. None of it was used.
        case unreadable
    }

    var kind: Kind
    /// What failed and what to do. Includes the broker's own text, but no secrets.
    var message: String
    /// The OAuth error in the broker's text, such as `invalid_grant`; `nil` if there is none.
    package var oauthError: String?
    package var oauthSuberror: String?
    /// The numbers after `AADSTS` in the broker's text.
    package var serviceCodes: [Int] = []
    /// The version of the broker that failed; `nil` if unknown.
    package var brokerVersion: String?

    package init(_ kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

extension BrokerFailure.Kind {
    /// Whether the request continues without the broker: there is no broker, the broker declines the request or does
    /// not support it, or the app is not registered for the broker.
    var leavesToOthers: Bool {
        switch self {
        case .absent, .passedOver, .unsupported, .accountNeeded, .misconfigured: true
        // In these cases, the user or the service decided, or the broker's window may still be open.
        case .unreachable, .interactionRequired, .unknownAccount, .canceledByUser, .canceled, .noNetwork, .temporary,
            .invalidRequest, .untrustedAuthority, .otherUser, .deviceNotRegistered, .removalRequired, .unexpected,
            .unexplained, .unreadable:
            false
        }
    }

    /// Whether a sign-in continues without the broker, because the broker cannot sign this user in but the service can.
    var leavesSignInToOthers: Bool { leavesToOthers || self == .unknownAccount || self == .unexplained }
}
