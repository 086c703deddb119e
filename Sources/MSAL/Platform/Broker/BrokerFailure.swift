// Licensed under the MIT License. See LICENSE.

/// The failure of a call of the broker. The kinds are closed, so a new one does not compile until the client maps it.
package struct BrokerFailure: Error, Sendable, Hashable {
    /// The kinds that a caller treats differently (docs/reference/Broker.md#status).
    package enum Kind: Sendable, Hashable {
        /// There is no broker, or it cannot be started. No request was made.
        case absent
        /// The broker hangs, died, or was replaced. Nobody knows whether it acted.
        case unreachable
        /// The broker wants the client to make the request without it.
        case passedOver
        /// The broker does not have the method, or cannot bind a token.
        case unsupported
        /// The broker has to know for which account its window opens.
        case accountNeeded
        /// The broker can do no more without the user.
        case interactionRequired
        /// The broker does not know the account.
        case unknownAccount
        /// The user closed the window.
        case canceledByUser
        /// The calling task was cancelled, or the broker says that the app gave up.
        case canceled
        /// There is no network.
        case noNetwork
        /// The service or the broker fails for a while. The same call may succeed later.
        case temporary
        /// The request was at fault.
        case invalidRequest
        /// The registration of the app was at fault. Mostly the broker's redirect URI is missing there.
        case misconfigured
        /// The broker does not trust the authority.
        case untrustedAuthority
        /// Another user signed in than the one that the app asked for.
        case otherUser
        /// The device has to be registered first.
        case deviceNotRegistered
        /// The administrator wants the account's data removed from this device.
        case removalRequired
        /// The broker reported an error without a meaning of its own for the client.
        case unexpected
        /// The broker failed without a number, and in words that the client does not know.
        case unexplained
        /// The broker's response makes no sense. Nothing of it was used.
        case unreadable
    }

    var kind: Kind
    /// What went wrong and what to do. The broker's own words are among them, and nothing secret.
    var message: String
    /// The OAuth error in the broker's words, such as `invalid_grant`; `nil` if the words name none.
    package var oauthError: String?
    package var oauthSuberror: String?
    /// The numbers behind `AADSTS…` in the broker's words.
    package var serviceCodes: [Int] = []
    /// The version of the broker that failed; `nil` if it is not known.
    package var brokerVersion: String?

    package init(_ kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

extension BrokerFailure.Kind {
    /// Whether the request goes on without the broker. That is so if there is no broker, if the broker does not want
    /// the request or cannot make it, or if the app is not registered for the broker.
    var leavesToOthers: Bool {
        switch self {
        case .absent, .passedOver, .unsupported, .accountNeeded, .misconfigured: true
        // In these cases the user or the service decided, or the broker's window may still be open.
        case .unreachable, .interactionRequired, .unknownAccount, .canceledByUser, .canceled, .noNetwork, .temporary,
            .invalidRequest, .untrustedAuthority, .otherUser, .deviceNotRegistered, .removalRequired, .unexpected,
            .unexplained, .unreadable:
            false
        }
    }

    /// Whether a sign-in goes on without the broker. That is so if the broker cannot sign this user in, and the service
    /// can.
    var leavesSignInToOthers: Bool { leavesToOthers || self == .unknownAccount || self == .unexplained }
}
