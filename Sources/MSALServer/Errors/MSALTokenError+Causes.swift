// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

extension MSALTokenError {
    /// The failure of a request that got no response. `purpose` names the request.
    package convenience init(_ failure: TransportError, during purpose: String, correlationID: UUID? = nil) {
        guard failure.kind != .canceled else {
            self.init(.cancelled, message: "The call was canceled.", correlationID: correlationID)
            return
        }
        let cause = failure.urlErrorCode.map {
            NSError(domain: NSURLErrorDomain, code: $0, userInfo: [NSLocalizedDescriptionKey: failure.message])
        }
        self.init(
            .network,
            message: "\(purpose): \(failure.message)",
            isRetryable: failure.isTransient,
            correlationID: correlationID,
            underlying: cause.map { [$0] } ?? []
        )
    }

    /// The failure of a token request. `now` is the time against which a date in `Retry-After` is compared.
    package convenience init(_ failure: TokenEndpoint.Failure, correlationID: UUID, now: Date) {
        // Zero or a past date gives a pause of zero. A missing header gives `nil`.
        func pause(_ header: String?) -> Duration? { header.map { RetryAfter.delay($0, now: now) ?? .zero } }
        switch failure {
        case .transport(let cause):
            self.init(cause, during: "The token request", correlationID: correlationID)
        case .refused(let refusal):
            self.init(refusal, correlationID: correlationID, retryAfter: pause(refusal.retryAfter))
        case .http(let response, let source):
            let words = ServiceErrorDetails(body: response.body)
            let other: Kind = words == nil ? .invalidResponse : .serviceRefused
            let facts = Facts(
                message: words?.text ?? response.refusal(from: source),
                correlationID: correlationID,
                serviceCodes: words?.codes ?? [],
                retryAfter: pause(response[header: "Retry-After"])
            )
            let kind: Kind = response.status == 429 ? .throttled : response.status >= 500 ? .serviceUnavailable : other
            self.init(kind, facts: facts)
        case .unreadable(let text):
            self.init(.invalidResponse, message: text, correlationID: correlationID)
        }
    }

    /// The failure of a response's checks.
    convenience init(_ failure: TokenAcceptance.Failure, correlationID: UUID) {
        switch failure {
        case .canceled:
            self.init(.cancelled, message: "The call was canceled.", correlationID: correlationID)
        case .incomplete(let text), .refused(let text):
            self.init(.invalidResponse, message: "\(text) Nothing was kept.", correlationID: correlationID)
        }
    }

    /// The failure of a redirect.
    convenience init(_ failure: RedirectResponse.Failure, correlationID: UUID) {
        let text: String
        switch failure {
        case .wrongState:
            text = "The response does not belong to this sign-in: the state differs."
        case .wrongIssuer:
            text = "The response does not name the service that was asked as its issuer. Nothing was redeemed."
        case .empty:
            text = "The response has neither a code nor an error."
        case .refused(let refusal):
            self.init(refusal, correlationID: refusal.correlationID ?? correlationID)
            return
        }
        self.init(.invalidSignInResponse, message: "\(text) Start the sign-in again.", correlationID: correlationID)
    }

    /// The failure to resolve an authority.
    package convenience init(_ failure: AuthorityError, correlationID: UUID? = nil) {
        let kind: Kind
        switch failure.kind {
        case .transport(let cause):
            self.init(cause, during: "The authority's metadata", correlationID: correlationID)
            return
        case .http(let status, _):
            kind = status == 429 ? .throttled : status >= 500 ? .serviceUnavailable : .serviceRefused
        case .invalidResponse: kind = .invalidResponse
        case .invalidParameter, .unexpected, .validationFailed: kind = .configuration
        }
        let facts = Facts(message: failure.message, correlationID: correlationID, serviceCodes: failure.serviceCodes)
        self.init(kind, facts: facts)
    }

    /// An error response of the token endpoint (docs/reference/Services.md#refusals).
    package convenience init(_ refusal: OAuthError, correlationID: UUID, retryAfter: Duration? = nil) {
        let kind = Kind(refusal)
        // The service's text may repeat the assertion that it refuses. Messages go to logs, so the assertion is cut
        // out.
        let words = (refusal.words ?? "The service returned \(refusal.error).")
            .replacing(/eyJ[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*/, with: Secret("").description)
        self.init(
            kind,
            message: words + ((Self.remedy(forCodes: refusal.codes) ?? kind.remedy).map { " \($0)" } ?? ""),
            refusal: refusal,
            correlationID: correlationID,
            retryAfter: retryAfter
        )
    }

    /// The remedy for a refusal with one of these numbers, if it differs from that of the error's kind.
    static func remedy(forCodes codes: [Int]) -> String? {
        if codes.contains(530_084) {
            return "A policy of the tenant accepts only tokens that an identity broker requested. Sign in through the "
                + "broker of this device, or have an administrator exclude the application."
        }
        guard codes.contains(700_024) else { return nil }
        return "The assertion is not valid yet, or has expired. Check the clock of this machine, and that the file or "
            + "the issuer of the assertion is up to date."
    }

    /// An earlier refusal once more, for a call that was not sent because the service wants a pause.
    package convenience init(repeating earlier: MSALTokenError, retryAfter: Duration) {
        var facts = earlier.facts
        facts.message +=
            " Nothing was sent this time, because the service is throttling requests. Try again in "
            + "\(retryAfter.components.seconds) seconds."
        facts.retryAfter = retryAfter
        self.init(earlier.kind, facts: facts)
    }

    /// The same failure. Its message begins with the name of the chain's credential that failed.
    package func named(_ name: String) -> MSALTokenError {
        kind == .cancelled ? self : reworded("\(name): \(message)")
    }

    /// The same failure in other words, and with this one as its cause.
    package func reworded(_ message: String, kind: Kind? = nil) -> MSALTokenError {
        var facts = facts
        facts.message = message
        facts.causes = [self]
        return MSALTokenError(kind ?? self.kind, facts: facts)
    }

    /// The cancellation of the calling task.
    package static let cancellation = MSALTokenError(.cancelled, message: "The call was canceled.")
}

extension OAuthError {
    /// The service's text without its end, the ids and the time. An error has the ids as members. The text is one line.
    fileprivate var words: String? {
        guard let description else { return nil }
        let end = description.range(of: " Trace ID: ")?.lowerBound
        return String(description[..<(end ?? description.endIndex)])
    }
}

extension MSALTokenError.Kind {
    /// The kind of a refusal: by the service's number, else by the error's name in RFC 6749 §5.2.
    init(_ refusal: OAuthError) {
        for code in refusal.codes {
            if let known = Self.kind(ofCode: code) {
                self = known
                return
            }
        }
        switch refusal.error.lowercased() {
        case "invalid_client", "unauthorized_client": self = .invalidClient
        case "interaction_required", "login_required", "invalid_grant": self = .interactionRequired
        case "consent_required": self = .consentRequired
        case "access_denied":
            // If a policy of the tenant refuses, the name is the same, but the service adds a number.
            self = refusal.codes.isEmpty || refusal.hasSuberror("cancel") ? .userCancelled : .serviceRefused
        case "invalid_scope": self = .invalidScopes
        case "temporarily_unavailable", "server_error": self = .serviceUnavailable
        default: self = .serviceRefused
        }
    }

    private static func kind(ofCode code: Int) -> Self? {
        switch code {
        case 7_000_215, 7_000_222, 700_027, 700_024, 700_021: .invalidClient
        case 700_211, 700_212, 700_213, 70_021: .federationMismatch
        case 700_016: .applicationNotFound
        case 500_011, 650_057: .resourceNotFound
        case 1_002_012: .invalidScopes
        case 50_013, 500_131, 500_133: .invalidAssertion
        case 7_000_114: .userAssertionIsApplication
        case 65_001: .consentRequired
        case 65_004: .userCancelled
        case 50_076, 50_079, 50_158, 53_000...53_003: .interactionRequired
        case 50_196: .throttled
        case 90_033, 90_055: .serviceUnavailable
        default: nil
        }
    }

    /// The remedy for a refusal of this kind, if the service's own words do not name it.
    fileprivate var remedy: String? {
        switch self {
        case .invalidClient: "Check the secret or the certificate against the application's registration."
        case .applicationNotFound: "Check the client ID and the tenant."
        case .resourceNotFound: "Check the resource in the scope, and that the tenant has its application."
        case .consentRequired: "An administrator can consent for the tenant."
        case .throttled: "Keep the application object, because its cache saves requests."
        default: nil
        }
    }
}
