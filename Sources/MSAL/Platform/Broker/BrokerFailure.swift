// Licensed under the MIT License. See LICENSE.

/// The failure of a call of the broker. The kinds are closed, so a new one does not compile until the client maps it.
package struct BrokerFailure: Error, Sendable, Hashable {
    /// The kinds that a caller treats differently (docs/reference/Broker.md#status).
    package enum Kind: Sendable, Hashable {
        /// There is no broker, or it cannot be started. Nothing was asked.
        case absent
        /// The broker hangs, died, or was replaced. Whether it acted is unknown.
        case unreachable
        /// The broker wants the request to be made without it.
        case passedOver
        /// The broker cannot do this: the method, or a bound token.
        case unsupported
        /// The broker has to be told for which account its window is.
        case accountNeeded
        /// Only the user can help.
        case interactionRequired
        /// The broker does not know the account.
        case unknownAccount
        /// The user closed the window.
        case canceledByUser
        /// The calling task was cancelled, or the broker says that the app gave up.
        case canceled
        /// There is no network.
        case noNetwork
        /// The service or the broker fails for a while.
        case temporary
        /// The request was at fault.
        case invalidRequest
        /// The registration of the app was at fault; mostly the broker's redirect URI is missing there.
        case misconfigured
        /// The authority is not one that the broker trusts.
        case untrustedAuthority
        /// Another user than the one asked for signed in.
        case otherUser
        /// The device has to be registered first.
        case deviceNotRegistered
        /// The administrator wants the account's data removed from this device.
        case removalRequired
        /// Anything else that the broker reports.
        case unexpected
        /// The broker failed, in words that nobody knows and without a number.
        case unexplained
        /// The response makes no sense. Nothing of it was used.
        case unreadable
    }

    var kind: Kind
    /// What went wrong and what to do, in words. The broker's own are among them; nothing secret is.
    var message: String
    /// The OAuth error in the broker's words, such as `invalid_grant`; `nil` where it names none.
    package var oauthError: String?
    package var oauthSuberror: String?
    /// The numbers behind `AADSTS…` in the broker's words.
    package var serviceCodes: [Int] = []
    /// The version of the broker that failed; `nil` where it is not known.
    package var brokerVersion: String?

    package init(_ kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

extension BrokerFailure.Kind {
    /// Whether the request goes on without the broker: none is there, it does not want the request or cannot do it, or the
    /// app is not registered for it and works as on a machine without one.
    var leavesToOthers: Bool {
        switch self {
        case .absent, .passedOver, .unsupported, .accountNeeded, .misconfigured: true
        // The user or the service decided, or the broker's window may be open still.
        case .unreachable, .interactionRequired, .unknownAccount, .canceledByUser, .canceled, .noNetwork, .temporary,
            .invalidRequest, .untrustedAuthority, .otherUser, .deviceNotRegistered, .removalRequired, .unexpected,
            .unexplained, .unreadable:
            false
        }
    }

    /// Whether a sign-in goes on without the broker: it cannot sign this user in, and the service can.
    var leavesSignInToOthers: Bool { leavesToOthers || self == .unknownAccount || self == .unexplained }
}
