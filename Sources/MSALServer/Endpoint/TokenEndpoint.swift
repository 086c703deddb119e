// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALCore
package import MSALSupport

/// Sends forms to token endpoints and reads the responses (RFC 6749 §5).
package struct TokenEndpoint: Sendable {
    private let environment: ServerEnvironment
    private let headers: ClientHeaders

    package init(environment: ServerEnvironment, headers: ClientHeaders = ClientHeaders()) {
        self.environment = environment
        self.headers = headers
    }

    /// Posts a form and returns the members of the response.
    ///
    /// `fallback` is asked once if no connection to `url` comes about. Each of the two then has half of the time of a
    /// request. `identity` is shown in the TLS handshake.
    ///
    /// - Throws: The kind of the service's refusal, `.throttled`, `.serviceUnavailable`, `.network` or `.invalidResponse`.
    package func post(
        _ form: FormBody,
        to url: URL,
        orElse fallback: URL? = nil,
        identity: TLSIdentity? = nil,
        correlationID: UUID,
        repetition: HTTPMessage.Repetition = .always,
        limit: Duration? = nil
    ) async throws(MSALTokenError) -> [String: JSONValue] {
        let response: HTTPResponse
        do throws(TransportError) {
            var message = HTTPMessage(
                method: "POST",
                to: try HTTPAddress(built: url),
                headers: headers.headers(correlationID: correlationID),
                body: form.data
            )
            message.headers["Content-Type"] = "application/x-www-form-urlencoded"
            message.repetition = repetition
            message.identity = identity
            message.timeout = fallback == nil ? limit : environment.requestTimeout / 2
            response = try await environment.transport.send(message)
        } catch {
            guard let fallback, error.isWithoutConnection else {
                throw MSALTokenError(error, during: "The token request", correlationID: correlationID)
            }
            Log.warning("The host \(url.host() ?? "of the region") cannot be reached. The cloud's own host is asked.")
            return try await post(
                form,
                to: fallback,
                identity: identity,
                correlationID: correlationID,
                repetition: repetition,
                limit: environment.requestTimeout / 2
            )
        }
        return try members(of: response, from: url, correlationID: correlationID)
    }

    private func members(
        of response: HTTPResponse,
        from url: URL,
        correlationID: UUID
    ) throws(MSALTokenError) -> [String: JSONValue] {
        let source = "The token endpoint of \(url.host() ?? "the service")"
        // Zero and a past date ask for no pause, unlike a header that is not there.
        let retryAfter = response[header: "Retry-After"].map {
            RetryAfter.delay($0, now: environment.time.now) ?? .zero
        }
        let members = JSONValue(parsing: response.body)?.object
        if response.status != 200, response.status != 429, response.status < 500,
            let members, var refusal = OAuthError(members: members)
        {
            refusal.status = response.status
            throw MSALTokenError(refusal, correlationID: correlationID, retryAfter: retryAfter)
        }
        guard response.status == 200 else {
            let words = members.flatMap(ServiceWords.init(members:))
            throw MSALTokenError(
                response.status == 429
                    ? .throttled : response.status >= 500 ? .serviceUnavailable : .invalidResponse,
                message: words?.text ?? response.refusal(from: source),
                correlationID: correlationID,
                serviceCodes: words?.codes ?? [],
                retryAfter: retryAfter
            )
        }
        guard let members else {
            throw MSALTokenError(
                .invalidResponse,
                message: "\(source) responded with something that is not a JSON object. A proxy or a sign-in portal of "
                    + "the network may stand between.",
                correlationID: correlationID
            )
        }
        return members
    }
}

extension TransportError {
    /// Whether the request has reached no server. Another host may be asked then.
    fileprivate var isWithoutConnection: Bool {
        switch kind {
        case .cannotFindHost, .cannotConnect: true
        case .timedOut: !hasSentBody
        case .connectionLost, .offline, .badURL, .untrustedCertificate, .wrongHostName, .certificateExpired,
            .certificateNotYetValid, .tlsHandshake, .canceled, .badResponse, .responseTooLarge:
            false
        }
    }
}
