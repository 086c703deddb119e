// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// Posts forms to the token endpoint, and to others with the same response format (RFC 6749 §5;
/// docs/reference/Protocol.md#response-status).
package struct TokenEndpoint: Sendable {
    private let transport: any HTTPTransport
    private let headers: ClientHeaders
    private let time: any TimeSource

    package init(transport: any HTTPTransport, headers: ClientHeaders = ClientHeaders(), time: any TimeSource) {
        self.transport = transport
        self.headers = headers
        self.time = time
    }

    /// One form and its endpoint.
    package struct Request: Sendable {
        package let form: FormBody
        package var url: URL
        /// The name of the endpoint in the texts of errors.
        package var name = "The token endpoint"
        package let correlationID: UUID
        /// The hint that routes the request (``ClientHeaders/mailbox(homeAccountID:username:)``).
        package var mailbox: String?
        /// Headers in addition to those of every request.
        package var headers: [String: String] = [:]
        package var repetition = HTTPMessage.Repetition.always
        /// The client certificate for the TLS handshake.
        package var identity: TLSIdentity?
        package var timeout: Duration?

        package init(_ form: FormBody, to url: URL, correlationID: UUID) {
            self.form = form
            self.url = url
            self.correlationID = correlationID
        }

        fileprivate var source: String { "\(name) of \(url.host() ?? "the service")" }
    }

    /// A reason for a request without a result.
    package enum Failure: Error, Sendable {
        /// No response came.
        case transport(TransportError)
        /// The service refused. The error has the status and the `Retry-After` of the response.
        case refused(OAuthError)
        /// The response has another status, or names no error. `source` is the name of the endpoint and its host.
        case http(HTTPResponse, source: String)
        /// The response does not have the format of a token endpoint.
        case unreadable(String)
    }

    /// Posts a form and returns the tokens of the response.
    package func tokens(for request: Request) async throws(Failure) -> TokenResponse {
        let (members, response) = try await members(for: request)
        return try Self.tokens(
            of: members,
            receivedAt: time.now,
            serverDate: response[header: "Date"].flatMap(RetryAfter.httpDate)
        )
    }

    /// Reads the tokens of a response. Native authentication has its own exchange.
    package static func tokens(
        of members: [String: JSONValue],
        receivedAt now: Date,
        serverDate: Date? = nil
    ) throws(Failure) -> TokenResponse {
        if let error = OAuthError(members: members) { throw .refused(error) }
        do throws(TokenResponse.UnsendableToken) {
            return try TokenResponse(members: members, receivedAt: now, serverDate: serverDate)
        } catch {
            throw .unreadable(error.message)
        }
    }

    /// Posts a form and returns the members of the response.
    package func members(
        for request: Request
    ) async throws(Failure) -> (members: [String: JSONValue], response: HTTPResponse) {
        let response = try await response(to: request)
        guard [200, 400, 401].contains(response.status) else { throw .http(response, source: request.source) }
        guard let members = JSONValue(parsing: response.body)?.object else {
            throw .unreadable(response.notJSON(from: request.source))
        }
        if var error = OAuthError(members: members) {
            error.status = response.status
            error.retryAfter = response[header: "Retry-After"]
            throw .refused(error)
        }
        guard response.status == 200 else { throw .http(response, source: request.source) }
        return (members, response)
    }

    private func response(to request: Request) async throws(Failure) -> HTTPResponse {
        do throws(TransportError) {
            var message = HTTPMessage(
                method: "POST",
                to: try HTTPAddress(built: request.url),
                headers: headers.headers(correlationID: request.correlationID, mailbox: request.mailbox)
                    .merging(headers.isMinimal ? [:] : request.headers) { $1 },
                body: request.form.data
            )
            message.headers["Content-Type"] = "application/x-www-form-urlencoded"
            message.repetition = request.repetition
            message.identity = request.identity
            message.timeout = request.timeout
            return try await transport.send(message)
        } catch {
            throw .transport(error)
        }
    }
}

extension HTTPMessage.Repetition {
    /// The cases in which a token request may be sent again to this authority. An issuer that is not Microsoft's may revoke
    /// all tokens if a rotated refresh token is redeemed twice (RFC 9700 §4.14.2).
    package func limited(by authority: Authority) -> Self {
        self == .always && authority.kind == .oidc ? .unlessSent : self
    }
}
