// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
package import MSALCore

/// Why no token was returned, and what to do next.
///
/// All throwing functions of `MSALServer` that return tokens throw this type. It is an `NSError` as well, so
/// `catch let error as NSError` works; its domain is `MSALErrorDomain`. Its texts contain no secret and no token. For a
/// call that was not served from memory, `userInfo["MSALDurationsKey"]` is a `[String: Double]` with the seconds that the
/// call took (`total`), and that it waited for the network (`network`) and the shared store (`store`).
public final class MSALTokenError: NSError, @unchecked Sendable {
    // Unchecked, because `NSError` is. All members are constants of sendable types, and `NSError` does not change either.

    /// What went wrong, for the program to branch on.
    public let kind: Kind

    /// Why a certificate cannot be used; `nil` for errors of other kinds.
    public let reason: Reason?

    /// The cause and the remedy, as text for logs and developers. The wording may change.
    ///
    /// It is one line; a chain adds a line for each of its credentials. Control characters in the service's text are
    /// replaced by their numbers, such as `<U+001B>`.
    public let message: String

    /// Whether the same call may succeed later, without changes to the program or its settings.
    public let isRetryable: Bool

    /// The claims that the service requires, as the JSON text that it sent.
    ///
    /// If a user is present, sign the user in with these claims. An API passes them on to its caller.
    public let claims: String?

    /// The correlation ID of the request, which the service logs. Quote it in support requests.
    public let correlationID: UUID?

    /// The AADSTS error codes, if the service sent any.
    public let serviceCodes: [Int]

    /// The number of ``serviceCodes`` that explains the error: the first one whose cause the library knows, or else the first
    /// one.
    public var errorNumber: Int? { (userInfo["MSALErrorNumberKey"] as? NSNumber)?.intValue }

    /// The cause that the number stands for, such as `administratorConsent` or `policy`; `nil` if the library does not know it.
    /// `localizedFailureReason` is the cause as an English sentence.
    ///
    /// It explains an error; branch on ``kind``. Later versions may add causes.
    public var errorCause: String? { userInfo["MSALErrorCauseKey"] as? String }

    /// The service's page about the number, for developers and administrators.
    public var helpURL: URL? { userInfo["MSALErrorHelpURLKey"] as? URL }

    /// The OAuth 2.0 error code of the service, such as `invalid_client` (RFC 6749 §5.2).
    public let oauthError: String?

    /// The time after which the service permits another request.
    public let retryAfter: Duration?

    /// The errors that led to this one, such as the error of a callback, of the network, or of each credential in a
    /// chain.
    public let causes: [any Error]

    /// What is known of the error. The members above are read from it.
    let facts: Facts

    /// Creates the error of a custom credential.
    ///
    /// If the kind is ``Kind-swift.struct/credentialUnavailable``, a chain tries its next credential; with any other
    /// kind, it fails.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - message: The cause and the remedy, as text without secrets.
    ///   - isRetryable: Whether the same call may succeed later. If `nil`, the kind decides.
    ///   - claims: The claims that the service requires, as the JSON text that it sent.
    ///   - retryAfter: The time after which the service permits another request.
    ///   - correlationID: The correlation ID of the request.
    ///   - causes: The errors that led to this one.
    public convenience init(
        kind: Kind,
        message: String,
        isRetryable: Bool? = nil,
        claims: String? = nil,
        retryAfter: Duration? = nil,
        correlationID: UUID? = nil,
        causes: [any Error] = []
    ) {
        let facts = Facts(
            message: message,
            isRetryable: isRetryable,
            claims: claims,
            correlationID: correlationID,
            retryAfter: retryAfter,
            causes: causes
        )
        self.init(kind, facts: facts)
    }

    package convenience init(
        _ kind: Kind,
        message: String,
        isRetryable: Bool? = nil,
        refusal: OAuthError? = nil,
        correlationID: UUID? = nil,
        retryAfter: Duration? = nil,
        underlying: [any Error] = []
    ) {
        let facts = Facts(
            message: message,
            isRetryable: isRetryable,
            refusal: refusal,
            correlationID: correlationID,
            retryAfter: retryAfter,
            causes: underlying
        )
        self.init(kind, facts: facts)
    }

    /// The members of an error beside its kind. A failure in other words keeps most of them.
    struct Facts {
        var message: String
        /// The lines below the message.
        var lines: [String] = []
        var reason: Reason?
        /// Whether the same call may succeed later. If `nil`, the kind decides.
        var isRetryable: Bool?
        var refusal: OAuthError?
        var claims: String?
        var correlationID: UUID?
        var serviceCodes: [Int] = []
        var retryAfter: Duration?
        var causes: [any Error] = []
        var durations: CallDurations?
    }

    init(_ kind: Kind, facts given: Facts) {
        let refusal = given.refusal
        let isRetryable = given.isRetryable ?? Kind.passing.contains(kind)
        var facts = given
        facts.message = given.message.visibleLine
        facts.lines = given.lines.map(\.visibleLine)
        facts.isRetryable = isRetryable
        facts.claims = given.claims ?? refusal?.claims
        facts.correlationID = given.correlationID ?? refusal?.correlationID
        facts.serviceCodes = refusal?.codes ?? given.serviceCodes
        self.facts = facts
        self.kind = kind
        self.isRetryable = isRetryable
        reason = facts.reason
        message = ([facts.message] + facts.lines).joined(separator: "\n  ")
        claims = facts.claims
        correlationID = facts.correlationID
        serviceCodes = facts.serviceCodes
        oauthError = refusal?.error
        retryAfter = facts.retryAfter
        causes = facts.causes
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, "MSALErrorDescriptionKey": message]
        userInfo["MSALCorrelationIDKey"] = self.correlationID?.uuidString
        userInfo["MSALOAuthErrorKey"] = refusal?.error
        userInfo["MSALOAuthSubErrorKey"] = refusal?.suberror
        userInfo["MSALOAuthClaimsKey"] = self.claims
        userInfo.merge(ServiceErrorCause.userInfo(of: self.serviceCodes)) { $1 }
        userInfo["MSALDurationsKey"] = facts.durations?.userInfo
        userInfo[NSUnderlyingErrorKey] = causes.first.map { $0 as NSError }
        super.init(domain: "MSALErrorDomain", code: kind.code, userInfo: userInfo)
    }

    /// Decodes an archived error, which keeps its text and loses its kind, because archives of `NSError` do not contain
    /// a kind.
    public required init?(coder: NSCoder) {
        kind = Kind(rawValue: "archived")
        reason = nil
        message = ""
        facts = Facts(message: "", isRetryable: false)
        isRetryable = false
        claims = nil
        correlationID = nil
        serviceCodes = []
        oauthError = nil
        retryAfter = nil
        causes = []
        super.init(coder: coder)
    }

    /// Whether user interaction is required: a sign-in, consent, or a second factor.
    public var needsUser: Bool { kind == .interactionRequired || kind == .consentRequired }

    /// Whether a web application has to sign its user in again: the service requires it, or there are no tokens.
    package var requiresSignIn: Bool { needsUser || claims != nil || kind == .accountNotFound }

    public override var description: String {
        let id = correlationID.map { " (correlation ID \($0.uuidString))" } ?? ""
        return "\(kind.rawValue): \(message)\(id)"
    }

    public override var debugDescription: String { description }

    /// The reason for an error of the kind ``MSALTokenError/Kind/invalidCertificate``. Later versions may add reasons.
    public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason. Later versions do not change it.
        public let rawValue: String

        /// A reason by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The name.
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadable = Reason("unreadable")
        /// There is no certificate.
        public static let noCertificate = Reason("noCertificate")
        /// There is no private key.
        public static let noKey = Reason("noKey")
        /// There are two private keys.
        public static let twoKeys = Reason("twoKeys")
        /// The private key does not match any of the certificates.
        public static let keyMismatch = Reason("keyMismatch")
        /// The private key is not an RSA key. The service accepts only RSA.
        public static let keyType = Reason("keyType")
        /// The RSA key has fewer than 2048 bits.
        public static let keyTooSmall = Reason("keyTooSmall")
        /// The password is wrong or missing.
        public static let password = Reason("password")
        /// The private key uses OpenSSL's legacy encryption (`DEK-Info`), which is not safe.
        public static let legacyEncryption = Reason("legacyEncryption")
        /// The encryption of the private key or the file is not supported.
        public static let unsupportedEncryption = Reason("unsupportedEncryption")
        /// The data is neither PEM nor PKCS#12, or part of it is corrupt.
        public static let malformed = Reason("malformed")
    }

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

extension MSALTokenError.Kind {
    /// The name in metrics. A program's own credential can make up kinds. Those are `other`, so that the number of
    /// series stays small.
    var label: String { Self.labeled.contains(self) ? rawValue : Self.unlabeled }

    private static let unlabeled = "other"

    /// All names in metrics.
    static var labels: [String] { labeled.map(\.rawValue) + [unlabeled] }

    /// The kinds of this library.
    package static let labeled: Set<Self> = [
        .configuration, .invalidCredential, .invalidCertificate, .invalidScopes, .tenantRequired, .tenantNotAllowed,
        .certificateRequired, .notSupportedInCloud, .credentialUnavailable, .invalidClient, .federationMismatch,
        .applicationNotFound, .resourceNotFound, .unavailable, .refused, .identityNotAssigned, .identityNotConfirmed,
        .userAssignedNotSupported, .invalidChallenge, .authenticationFailed, .noCredential, .interactionRequired,
        .consentRequired, .accountNotFound, .userCancelled, .invalidSignInResponse, .invalidAssertion,
        .userAssertionIsApplication, .sessionNotFound, .cacheUnavailable, .serviceRefused, .throttled,
        .serviceUnavailable, .network, .invalidResponse, .cancelled,
    ]
}
