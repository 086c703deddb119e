// Licensed under the MIT License. See LICENSE.

extension MSALTokenError.Kind {
    /// The name in metrics. A program's own credential can make up kinds. Those are `other`, so that the number of
    /// series stays small.
    var label: String { Self.labelled.contains(self) ? rawValue : Self.unlabelled }

    private static let unlabelled = "other"

    /// All names in metrics.
    static var labels: [String] { labelled.map(\.rawValue) + [unlabelled] }

    /// The kinds of this library.
    package static let labelled: Set<Self> = [
        .configuration, .invalidCredential, .invalidCertificate, .invalidScopes, .tenantRequired, .tenantNotAllowed,
        .certificateRequired, .notSupportedInCloud, .credentialUnavailable, .invalidClient, .federationMismatch,
        .applicationNotFound, .resourceNotFound, .unavailable, .refused, .identityNotAssigned, .identityNotConfirmed,
        .userAssignedNotSupported, .invalidChallenge, .authenticationFailed, .noCredential, .interactionRequired,
        .consentRequired, .accountNotFound, .userCancelled, .invalidSignInResponse, .invalidAssertion,
        .userAssertionIsApplication, .sessionNotFound, .cacheUnavailable, .serviceRefused, .throttled,
        .serviceUnavailable, .network, .invalidResponse, .cancelled,
    ]
}
