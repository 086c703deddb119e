// Licensed under the MIT License. See LICENSE.

/// The outcomes that a broker reports in `status` (docs/reference/Broker.md#status). From 15 to 20, the numbers differ
/// from the public enumeration of Microsoft's runtime, which interprets them like this.
enum BrokerStatus: Int, Sendable, CaseIterable {
    case unexpected, reserved, interactionRequired, noNetwork, networkTemporarilyUnavailable
    case serverTemporarilyUnavailable, apiContractViolation, userCanceled, applicationCanceled
    case incorrectConfiguration, insufficientBuffer, authorityUntrusted, userSwitch, accountUnusable
    case userDataRemovalRequired, transientError, accountSwitch, deviceNotRegistered, keyNotFound
    case accountNotFound, requiredBrokerMissing, fallbackToNativeMsal

    var kind: BrokerFailure.Kind {
        switch self {
        case .unexpected, .reserved, .insufficientBuffer, .keyNotFound: .unexpected
        case .interactionRequired, .accountUnusable: .interactionRequired
        case .noNetwork, .networkTemporarilyUnavailable: .noNetwork
        case .serverTemporarilyUnavailable, .transientError: .temporary
        case .apiContractViolation: .invalidRequest
        case .userCanceled: .canceledByUser
        case .applicationCanceled: .canceled
        case .incorrectConfiguration: .misconfigured
        case .authorityUntrusted: .untrustedAuthority
        case .userSwitch, .accountSwitch: .otherUser
        case .userDataRemovalRequired: .removalRequired
        case .accountNotFound: .unknownAccount
        case .requiredBrokerMissing: .absent
        case .deviceNotRegistered: .deviceNotRegistered
        case .fallbackToNativeMsal: .passedOver
        }
    }

    /// The name that the runtime uses, from which the numbers come.
    var name: String {
        let text = String(describing: self)
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
