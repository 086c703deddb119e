// Licensed under the MIT License. See LICENSE.

import MSALCore

/// A request to an API that takes the library's tokens. Linux only.
public struct MSALAPIRequest: Sendable, RedactedReflection {
    /// The HTTP method; `GET` by default.
    public var method = "GET"

    /// The URL, which must be https.
    public var url: URL

    /// The headers other than `Authorization` and `client-request-id`.
    public var headers: [String: String] = [:]

    /// The bytes to send, if any.
    public var body: Data?

    /// The timeout of the whole exchange; 100 seconds by default.
    public var timeout: Duration = .seconds(100)

    /// The maximum size of a response body in bytes; 4 MiB by default.
    public var maximumResponseSize = 4 << 20

    /// Whether to send the library's name in `User-Agent`; `true` by default.
    public var includesUserAgent = true

    /// Creates a `GET` request for this URL.
    public init(url: URL) { self.url = url }
}

/// The response of an API. Linux only.
public struct MSALAPIResponse: Sendable, RedactedReflection {
    /// The HTTP status. No status is treated as an error.
    public let status: Int

    /// The headers with their names as received. The values of a repeated header are joined by commas.
    public let headers: [String: String]

    /// The received bytes.
    public let body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// How long the service asks to wait before another request, from the header `Retry-After` (RFC 9110 §10.2.3).
    ///
    /// - Parameter now: The time to which a date in the header is compared.
    /// - Returns: At most an hour; a minute for a value that is neither a number nor a date; `nil` without the header,
    ///   for zero, and for a date in the past.
    public func retryAfter(at now: Date) -> Duration? {
        self[header: "Retry-After"].flatMap { RetryAfter.delay($0, now: now) }
    }

    /// The time at which the service sent the response, from the header `Date`; `nil` without a valid one.
    public var date: Date? { self[header: "Date"].flatMap(RetryAfter.httpDate) }

    /// The value of a header, whose name is compared case-insensitively.
    public subscript(header name: String) -> String? {
        HTTPResponse(status: status, headers: headers)[header: name]
    }
}

extension MSALPublicClientApplication {
    /// Sends a request to an API, with the token of a result.
    ///
    /// The request uses the same proxies and certificates as the library's own requests: the proxies of the
    /// environment, ``MSALPublicClientApplicationConfig/caFile``, and `SSL_CERT_FILE`. It is not retried, and redirects
    /// are not followed because the token is only for this host. Make sure that the URL belongs to the API that the
    /// token is for.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - result: A result with the API's scopes. A token that is bound to a key needs a different header: set
    ///     `Authorization` in the request's headers, and it is sent unchanged.
    /// - Returns: The response. After a status of 401, ``MSALClaimsRequest/jsonString(ofChallenge:)`` extracts the
    ///   claims for a new sign-in from `WWW-Authenticate`.
    /// - Throws: `NSURLErrorDomain` if there was no response: try again, or correct what the description names.
    ///   ``MSALError/userCanceled`` if the task was canceled. Detail -42000 for a URL that is not https.
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

    private func message(_ request: MSALAPIRequest, with result: MSALResult) throws(TransportError) -> HTTPMessage {
        var message = try request.message()
        message.headers["client-request-id"] = result.correlationId.uuidString
        if message.headers["Authorization"] == nil { message.headers["Authorization"] = result.authorizationHeader }
        return message
    }
}

extension MSALAPIRequest {
    /// The message with only the request's own headers.
    ///
    /// - Throws: `.badURL` for an invalid URL.
    func message() throws(TransportError) -> HTTPMessage {
        var message = HTTPMessage(method: method, to: try HTTPAddress(built: url), headers: headers, body: body)
        message.namesLibrary = includesUserAgent
        message.maximumResponseBytes = maximumResponseSize
        message.timeout = timeout
        message.repetition = .never
        return message
    }
}
