// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
package import MSALCore

/// Why no token was returned, and what to do next.
///
/// All throwing functions of `MSALServer` that return tokens throw this type. It is an `NSError` as well, so
/// `catch let error as NSError` works; its domain is `MSALErrorDomain`. Its texts contain no secret and no token.
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

    /// The correlation id of the request, which the service logs. Quote it in support requests.
    public let correlationID: UUID?

    /// The AADSTS error codes, if the service sent any.
    public let serviceCodes: [Int]

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
    ///   - correlationID: The correlation id of the request.
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
        userInfo["MSALSTSErrorCodesKey"] = self.serviceCodes.isEmpty ? nil : self.serviceCodes
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
        let id = correlationID.map { " (correlation id \($0.uuidString))" } ?? ""
        return "\(kind.rawValue): \(message)\(id)"
    }

    public override var debugDescription: String { description }
}
