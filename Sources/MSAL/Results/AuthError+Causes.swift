// Licensed under the MIT License. See LICENSE.

package import MSALCore
package import SealedStore

/// The one table from the ports' errors to the client's.
extension AuthError {
    /// The calling task was canceled.
    static let canceledCall = AuthError(.canceled, message: "The call was canceled.")

    package init(_ error: TransportError) {
        switch error.kind {
        case .canceled:
            self = .canceledCall
        case .responseTooLarge:
            self.init(.invalidResponse, message: error.message)
        case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badURL, .untrustedCertificate,
            .wrongHostName, .certificateExpired, .certificateNotYetValid, .tlsHandshake, .badResponse:
            self.init(.transport(error), message: error.message)
        }
    }

    /// A response whose HTTP status no OAuth error explains. `source` names the endpoint. The service's message is
    /// kept.
    init(_ response: HTTPResponse, from source: String) {
        let words = ServiceErrorDetails(body: response.body)
        self.init(
            .http(status: response.status, headers: response.headers),
            message: words?.text ?? response.refusal(from: source)
        )
        wordCodes = words?.codes ?? []
    }

    /// The failure of a request to the token endpoint, or to one with the same response format.
    init(_ failure: TokenEndpoint.Failure) {
        switch failure {
        case .transport(let error):
            self.init(error)
        case .refused(let error):
            self.init(.tokenRefused(error), message: error.description ?? "The service refused: \(error.error).")
        case .http(let response, let source):
            self.init(response, from: source)
        case .unreadable(let text):
            self.init(.invalidResponse, message: text)
        }
    }

    /// The failure of a response's checks.
    init(_ failure: TokenAcceptance.Failure) {
        switch failure {
        case .incomplete(let text): self.init(.unexpected, message: text)
        case .refused(let text): self.init(.invalidResponse, message: "\(text) Nothing was stored.")
        case .canceled: self = .canceledCall
        }
    }

    /// The failure of a redirect.
    package init(_ failure: RedirectResponse.Failure) {
        switch failure {
        case .wrongState:
            self.init(.invalidState, message: "The redirect does not belong to this sign-in; start again.")
        case .wrongIssuer:
            self.init(
                .invalidResponse,
                message: "The redirect does not name the expected service as its issuer. Nothing was redeemed. "
                    + "Start the sign-in again."
            )
        case .refused(let error):
            self.init(
                .authorizationRefused(error),
                message: error.description ?? "The service ended the sign-in: \(error.error)."
            )
        case .empty:
            self.init(.invalidResponse, message: "The service's redirect carries neither a code nor an error.")
        }
    }

    package init(_ error: AuthorityError) {
        switch error.kind {
        case .invalidParameter: self.init(.invalidParameter, message: error.message)
        case .unexpected: self.init(.unexpected, message: error.message)
        case .validationFailed: self.init(.authorityValidationFailed, message: error.message)
        case .invalidResponse: self.init(.invalidResponse, message: error.message)
        case .http(let status, let headers): self.init(.http(status: status, headers: headers), message: error.message)
        case .transport(let cause): self.init(cause)
        }
        wordCodes = error.serviceCodes
    }

    package init(_ error: AgentError) {
        switch error.kind {
        case .canceled, .timedOut, .declined: self.init(.canceled, message: error.message)
        case .portInUse: self.init(.invalidRedirectURI, message: error.message)
        case .noBrowser, .listenerFailed, .startedTwice: self.init(.unexpected, message: error.message)
        case .invalidResponse: self.init(.invalidResponse, message: error.message)
        }
        allowsNextMode = error.allowsNextMode
    }

    package init(_ error: StoreError) { self.init(.store(error), message: error.message) }

    /// Runs a call of the store and turns its failure into the client's error.
    static func ofStore<Value>(_ body: () throws(StoreError) -> Value) throws(AuthError) -> Value {
        do {
            return try body()
        } catch {
            throw AuthError(error)
        }
    }
}

extension AgentError {
    /// Whether the failure is specific to this sign-in mode, so that the next mode may be tried.
    fileprivate var allowsNextMode: Bool {
        switch kind {
        case .noBrowser, .listenerFailed, .portInUse, .declined: true
        // The user decided, or the sign-in may have been tampered with.
        case .canceled, .timedOut, .startedTwice, .invalidResponse: false
        }
    }
}

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
        allowsNextMode = failure.kind.leavesToOthers
    }

    /// The error for a response in which the broker breaks its contract. Nothing of it was used.
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
