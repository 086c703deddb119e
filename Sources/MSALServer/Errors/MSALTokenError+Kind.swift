// Licensed under the MIT License. See LICENSE.

extension MSALTokenError {
    /// The kind of failure. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind. Later versions do not change it.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The name.
        public var description: String { rawValue }

        // MARK: The program or its settings

        /// A setting is missing or malformed. The message names it.
        public static let configuration = Kind("configuration")
        /// The client's credential is missing or unusable. Correct it; nothing was sent.
        public static let invalidCredential = Kind("invalidCredential")
        /// The certificate or its key cannot be used. ``MSALTokenError/reason`` and the message explain why.
        public static let invalidCertificate = Kind("invalidCertificate")
        /// The scopes are invalid for the flow. Client credentials require `<resource>/.default` of one resource.
        public static let invalidScopes = Kind("invalidScopes")
        /// The call needs a specific tenant instead of `common`, `organizations` or `consumers`. Name one in the
        /// authority or options.
        public static let tenantRequired = Kind("tenantRequired")
        /// The credential must not be used for this tenant. Add the tenant to the additionally allowed tenants.
        public static let tenantNotAllowed = Kind("tenantNotAllowed")
        /// A certificate-bound token was requested without a certificate. Configure a certificate as the credential.
        public static let certificateRequired = Kind("certificateRequired")
        /// The cloud does not support the requested feature.
        public static let notSupportedInCloud = Kind("notSupportedInCloud")

        // MARK: The credential and the identity

        /// The credential could not be produced, for example because a callback threw or a file is missing. The
        /// underlying error has the cause.
        public static let credentialUnavailable = Kind("credentialUnavailable")
        /// The service rejected the client's secret or assertion. Correct the registration or the credential.
        public static let invalidClient = Kind("invalidClient")
        /// No federated credential of the registration matches the assertion. The message shows issuer, subject, and
        /// audience.
        public static let federationMismatch = Kind("federationMismatch")
        /// The application does not exist in the tenant.
        public static let applicationNotFound = Kind("applicationNotFound")
        /// The resource does not exist in the tenant, or the application may not use it.
        public static let resourceNotFound = Kind("resourceNotFound")
        /// The managed identity endpoint does not exist or does not respond.
        public static let unavailable = Kind("unavailable")
        /// The managed identity endpoint rejected the request.
        public static let refused = Kind("refused")
        /// The requested managed identity is not assigned to this machine.
        public static let identityNotAssigned = Kind("identityNotAssigned")
        /// The response does not confirm that the token is for the requested managed identity, so the token was not
        /// used.
        public static let identityNotConfirmed = Kind("identityNotConfirmed")
        /// The managed identity endpoint does not support this form of user-assigned identity. No request was sent.
        public static let userAssignedNotSupported = Kind("userAssignedNotSupported")
        /// The challenge of the Azure Arc agent is invalid. Nothing was read or sent.
        public static let invalidChallenge = Kind("invalidChallenge")
        /// A credential of a chain is set up, but its authentication failed. The underlying error has the cause.
        public static let authenticationFailed = Kind("authenticationFailed")
        /// No credential of the chain is set up. The message lists each with its reason.
        public static let noCredential = Kind("noCredential")

        // MARK: The user

        /// The service requires user interaction: a sign-in, a second factor, or a policy. Pass
        /// ``MSALTokenError/claims`` on, if any.
        public static let interactionRequired = Kind("interactionRequired")
        /// The user or an administrator has not consented.
        public static let consentRequired = Kind("consentRequired")
        /// The cache has no tokens for this user. Sign the user in.
        public static let accountNotFound = Kind("accountNotFound")
        /// The user canceled the sign-in or declined consent. Offer to start again.
        public static let userCancelled = Kind("userCancelled")
        /// The response to a web sign-in does not belong to the request, or was tampered with. Start the sign-in again.
        public static let invalidSignInResponse = Kind("invalidSignInResponse")
        /// The token that an API exchanges on behalf of a user is invalid or has expired. Reject the caller's request.
        public static let invalidAssertion = Kind("invalidAssertion")

        /// The API's incoming token belongs to an application and has no user. Call the downstream API as the
        /// application itself.
        public static let userAssertionIsApplication = Kind("userAssertionIsApplication")
        /// No long-running session of this user has the key. Start a new one with a token of the user.
        public static let sessionNotFound = Kind("sessionNotFound")
        /// The shared token store does not respond, and the call requires it. The user is still signed in. Try again in
        /// a moment.
        public static let cacheUnavailable = Kind("cacheUnavailable")

        // MARK: The service and the way to it

        /// The service rejected the request for another reason. The message contains the service's description.
        public static let serviceRefused = Kind("serviceRefused")
        /// The service is throttling requests. Wait for ``MSALTokenError/retryAfter``.
        public static let throttled = Kind("throttled")
        /// The service is unavailable. Try again later.
        public static let serviceUnavailable = Kind("serviceUnavailable")
        /// No response was received. The underlying error is in `NSURLErrorDomain`.
        public static let network = Kind("network")
        /// The response is not a valid token response and was discarded.
        public static let invalidResponse = Kind("invalidResponse")
        /// The calling task was canceled.
        public static let cancelled = Kind("cancelled")

        /// The kinds of failures that may end by themselves.
        static let passing: Set<Kind> = [
            .throttled, .serviceUnavailable, .network, .unavailable, .cacheUnavailable,
        ]

        /// The code in `MSALErrorDomain`. Apps that know `MSALError` recognize the first ones.
        var code: Int {
            switch self {
            case .cancelled, .userCancelled: -50005
            case .interactionRequired, .consentRequired, .accountNotFound, .sessionNotFound: -50002
            default: -50000
            }
        }
    }
}
