// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The one table from the failures of an identity broker to the client's errors (docs/reference/Broker.md#errors).
extension AuthError {
    init(_ failure: BrokerFailure) {
        let cause = failure.oauthError.map { name in
            var oauth = OAuthError(error: name, suberror: failure.oauthSuberror, description: failure.message)
            oauth.codes = failure.serviceCodes
            return AuthError(.tokenRefused(oauth), message: failure.message)
        }
        self.init(failure.clientKind, message: failure.message, underlying: cause)
        wordCodes = failure.serviceCodes
        brokerVersion = failure.brokerVersion
        allowsNextWay = failure.kind.leavesToOthers
    }

    /// A broker that gives what it may not give. Nothing of it was used.
    static func damagedBrokerResponse(_ fault: String) -> AuthError {
        AuthError(
            .broker(.damagedResponse),
            message: "The identity broker's response \(fault). Nothing of it was used."
        )
    }
}

extension BrokerFailure {
    fileprivate var clientKind: AuthError.Kind {
        switch kind {
        case .absent, .passedOver, .unsupported, .accountNeeded: .broker(.notAvailable)
        case .unreachable: .broker(.notResponding)
        case .interactionRequired, .unknownAccount: .interactionRequired
        case .canceledByUser, .canceled: .canceled
        case .noNetwork: .transport(TransportError(.offline, message: message))
        case .temporary: .broker(.busy)
        case .invalidRequest, .misconfigured: .invalidParameter
        case .untrustedAuthority: .authorityValidationFailed
        case .otherUser: .mismatchedUser
        case .deviceNotRegistered: .deviceNotRegistered
        case .removalRequired: .unexpected
        case .unexpected, .unexplained: .broker(.failed)
        case .unreadable: .broker(.damagedResponse)
        }
    }
}
