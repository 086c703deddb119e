// Licensed under the MIT License. See LICENSE.

extension MSALTokenError {
    /// The kinds of failures. Later versions may have more, so a `switch` needs a `default`.
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
        /// The certificate or its key cannot be used. ``MSALTokenError/reason`` and the message say why.
        public static let invalidCertificate = Kind("invalidCertificate")
        /// The scopes do not fit the flow. Client credentials take `<resource>/.default` of one resource.
        public static let invalidScopes = Kind("invalidScopes")
        /// The call needs one tenant, and `common`, `organizations` or `consumers` was given.
        public static let tenantRequired = Kind("tenantRequired")
        /// The credential may not be used for this tenant. List it as an additional one.
        public static let tenantNotAllowed = Kind("tenantNotAllowed")
        /// A certificate-bound token was asked for without a certificate.
        public static let certificateRequired = Kind("certificateRequired")
        /// The cloud does not offer what was asked for.
        public static let notSupportedInCloud = Kind("notSupportedInCloud")

        // MARK: The credential and the identity

        /// The credential could not be produced: a callback threw, a file is missing. The underlying error has the cause.
        public static let credentialUnavailable = Kind("credentialUnavailable")
        /// The service refused the client's secret or assertion. Correct the registration or the credential.
        public static let invalidClient = Kind("invalidClient")
        /// No federated credential of the registration fits the assertion. The message shows issuer, subject and audience.
        public static let federationMismatch = Kind("federationMismatch")
        /// The tenant does not know the application.
        public static let applicationNotFound = Kind("applicationNotFound")
        /// The tenant does not know the resource, or the application may not use it.
        public static let resourceNotFound = Kind("resourceNotFound")
        /// The source of a managed identity is not there, or does not respond.
        public static let unavailable = Kind("unavailable")
        /// The source of a managed identity refused the request.
        public static let refused = Kind("refused")
        /// The machine does not have the managed identity that was asked for.
        public static let identityNotAssigned = Kind("identityNotAssigned")
        /// The response does not confirm the managed identity that was asked for, so its token was not used.
        public static let identityNotConfirmed = Kind("identityNotConfirmed")
        /// The source takes no managed identity of this form. No request was sent.
        public static let userAssignedNotSupported = Kind("userAssignedNotSupported")
        /// The challenge of Azure Arc's agent is not one that may be answered. Nothing was read or sent.
        public static let invalidChallenge = Kind("invalidChallenge")
        /// A credential of a chain is set up and was refused. The underlying error has the cause.
        public static let authenticationFailed = Kind("authenticationFailed")
        /// No credential of the chain is set up. The message lists each with its reason.
        public static let noCredential = Kind("noCredential")

        // MARK: The user

        /// The service wants the user: a sign-in, a second factor, a policy. ``MSALTokenError/claims`` may say what.
        public static let interactionRequired = Kind("interactionRequired")
        /// The user or an administrator has not consented.
        public static let consentRequired = Kind("consentRequired")
        /// No tokens of this user are here. Sign the user in.
        public static let accountNotFound = Kind("accountNotFound")
        /// The user gave up the sign-in, or declined to consent. Offer to begin again.
        public static let userCancelled = Kind("userCancelled")
        /// The response to a web sign-in does not belong to the request, or it was tampered with. Begin again.
        public static let invalidSignInResponse = Kind("invalidSignInResponse")
        /// The token that an API exchanged on behalf of a user is not valid, or has expired. Refuse the caller's
        /// request.
        public static let invalidAssertion = Kind("invalidAssertion")

        /// The incoming token of the API belongs to an application and has no user. Call the other API as the
        /// application itself.
        public static let userAssertionIsApplication = Kind("userAssertionIsApplication")
        /// No long-running session of this user has the key. Begin a new one with a token of the user.
        public static let sessionNotFound = Kind("sessionNotFound")
        /// The store that the instances share does not answer, and the call cannot do without it. The user is still
        /// signed in. Try again in a moment.
        public static let cacheUnavailable = Kind("cacheUnavailable")

        // MARK: The service and the way to it

        /// The service refused the request for another reason. The message has its words.
        public static let serviceRefused = Kind("serviceRefused")
        /// The service wants fewer requests. Wait for ``MSALTokenError/retryAfter``.
        public static let throttled = Kind("throttled")
        /// The service is out of order. Try again later.
        public static let serviceUnavailable = Kind("serviceUnavailable")
        /// No response came. The underlying error is in `NSURLErrorDomain`.
        public static let network = Kind("network")
        /// The response is not one of a token endpoint. Nothing of it was used.
        public static let invalidResponse = Kind("invalidResponse")
        /// The calling task was cancelled.
        public static let cancelled = Kind("cancelled")

        /// The kinds of failures that may end by themselves.
        static let passing: Set<Kind> = [
            .throttled, .serviceUnavailable, .network, .unavailable, .cacheUnavailable,
        ]

        /// The code in `MSALErrorDomain`. Apps that know `MSALError` recognise the first ones.
        var code: Int {
            switch self {
            case .cancelled, .userCancelled: -50005
            case .interactionRequired, .consentRequired, .accountNotFound, .sessionNotFound: -50002
            default: -50000
            }
        }
    }
}
