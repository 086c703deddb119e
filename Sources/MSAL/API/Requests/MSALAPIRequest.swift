// Licensed under the MIT License. See LICENSE.

import MSALCore

/// A request to an API that takes the library's tokens. Linux only.
public struct MSALAPIRequest: Sendable, ClosedMirror {
    /// `GET` unless set.
    public var method = "GET"

    /// An https address.
    public var url: URL

    /// The headers beside `Authorization` and `client-request-id`.
    public var headers: [String: String] = [:]

    /// The bytes to send, if any.
    public var body: Data?

    /// The time that the whole exchange may take; 100 seconds unless set.
    public var timeout: Duration = .seconds(100)

    /// The largest body of a response that is accepted, in bytes; 4 MiB unless set.
    public var maximumResponseSize = 4 << 20

    /// Whether the library names itself in `User-Agent`, which it does unless this is set to `false`.
    public var includesUserAgent = true

    /// A request for what is at this address.
    public init(url: URL) {
        self.url = url
    }
}

/// The response of an API. Linux only.
public struct MSALAPIResponse: Sendable, ClosedMirror {
    /// The HTTP status. Every status is a response, and none is an error.
    public let status: Int

    /// Names as they were received. The values of a repeated header are joined by commas.
    public let headers: [String: String]

    /// The bytes that were received.
    public let body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The time that the service asks to wait before another request, from the header `Retry-After` (RFC 9110 §10.2.3).
    ///
    /// - Parameter now: The time with which a date in the header is compared.
    /// - Returns: At most an hour; a minute for a value that is neither a number nor a date; `nil` without the header, for
    ///   zero, and for a date that is over.
    public func retryAfter(at now: Date) -> Duration? {
        self[header: "Retry-After"].flatMap { RetryAfter.delay($0, now: now) }
    }

    /// The time at which the service sent the response, from the header `Date`; `nil` without a valid one.
    public var date: Date? { self[header: "Date"].flatMap(RetryAfter.httpDate) }

    /// The value of a header, whose name is compared without regard to case.
    public subscript(header name: String) -> String? {
        HTTPResponse(status: status, headers: headers)[header: name]
    }
}

extension MSALPublicClientApplication {
    /// Sends a request to an API, with the token of a result.
    ///
    /// The request goes the way that the library's own requests go: by the proxies of the environment, and with the
    /// certificates of ``MSALPublicClientApplicationConfig/caFile`` and `SSL_CERT_FILE`. It is not repeated, and no
    /// redirect is followed, because the token is for this host alone. Make sure that the address belongs to the API that
    /// the token is for.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - result: A result whose scopes are the API's. A token that is bound to a key needs a header of its own: set
    ///     `Authorization` in the request's headers, and it is sent as it is.
    /// - Returns: The response. After a status of 401,
    ///   ``MSALClaimsRequest/jsonString(ofChallenge:)`` finds the claims of a new sign-in in `WWW-Authenticate`.
    /// - Throws: `NSURLErrorDomain` if no response came: try again, or correct what the description names.
    ///   ``MSALError/userCanceled`` if the task was cancelled. Detail -42000 for an address that is not https.
    public func send(_ request: MSALAPIRequest, with result: MSALResult) async throws -> MSALAPIResponse {
        guard request.url.scheme?.lowercased() == "https" else {
            throw AuthError(.invalidParameter, message: "A token is sent to https addresses only.").nsError
        }
        return try await correlated(result.correlationId) { () async throws(AuthError) in
            let transport = try client().platform.transport
            do throws(TransportError) {
                let reply = try await transport.send(message(request, with: result))
                return MSALAPIResponse(status: reply.status, headers: reply.headers, body: reply.body)
            } catch {
                throw AuthError(error)
            }
        }
    }

    private func message(
        _ request: MSALAPIRequest,
        with result: MSALResult
    ) throws(TransportError) -> HTTPMessage {
        var message = try request.message()
        message.headers["client-request-id"] = result.correlationId.uuidString
        if message.headers["Authorization"] == nil { message.headers["Authorization"] = result.authorizationHeader }
        return message
    }
}

extension MSALAPIRequest {
    /// The message with the request's own headers alone.
    ///
    /// - Throws: `.badURL` for an address that no request goes to.
    func message() throws(TransportError) -> HTTPMessage {
        var message = HTTPMessage(method: method, to: try HTTPAddress(built: url), headers: headers, body: body)
        message.namesLibrary = includesUserAgent
        message.maximumResponseBytes = maximumResponseSize
        message.timeout = timeout
        message.repetition = .never
        return message
    }
}
