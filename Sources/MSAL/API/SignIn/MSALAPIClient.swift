// Licensed under the MIT License. See LICENSE.

private import MSALBase
package import MSALCore
private import Synchronization

/// Sends requests to an API without an application object. Linux only.
///
/// Use it for tokens that do not come from ``MSALPublicClientApplication``, such as those of a service, and for URLs
/// that need no token, such as an upload URL. The requests use the same proxies and certificates as the library's own
/// requests: the proxies of the environment, the CA file, and `SSL_CERT_FILE`. Only the header `User-Agent` is added.
/// Requests are not retried, and redirects are not followed. Each request is logged at ``MSALLogLevel/verbose``, like
/// the library's own requests.
public struct MSALAPIClient: Sendable, RedactedReflection {
    private let transport: any HTTPTransport

    /// Creates a client. Connections are opened with the first request.
    ///
    /// - Parameter caFile: A PEM file with additional certificate authorities to trust.
    public init(caFile: URL? = nil) {
        self.init(transport: AsyncHTTPClientTransport(HTTPSettings(caFile: caFile)))
    }

    package init(transport: any HTTPTransport) {
        // Logs the requests. Does not retry any of them because messages of this client say so.
        self.transport = RetryingTransport(base: transport, time: SystemTime())
    }

    /// Sends a request and reads the whole response.
    ///
    /// - Parameter request: The request. A token is passed in its header `Authorization`.
    /// - Returns: The response, with any status.
    /// - Throws: `NSURLErrorDomain` if there was no response: try again, or correct what the description names.
    ///   ``MSALError/userCanceled`` if the task was canceled. Detail -42000 for a URL that is not https.
    public func send(_ request: MSALAPIRequest) async throws -> MSALAPIResponse {
        try await exchange(request, receiver: nil)
    }

    /// Sends a request and passes on the body of the response in chunks, so that it is never completely in memory.
    ///
    /// - Parameters:
    ///   - request: The request. Its size limit and timeout apply to the whole body.
    ///   - receive: Called for each chunk in order, with the head of the response, whose body is empty. The next chunk
    ///     is read when it returns. An error that it throws ends the exchange.
    /// - Returns: The head of the response.
    /// - Throws: The errors of ``send(_:)`` and of `receive`.
    public func send(
        _ request: MSALAPIRequest,
        receiving receive: @escaping @Sendable (_ head: MSALAPIResponse, _ piece: Data) async throws -> Void
    ) async throws -> MSALAPIResponse {
        let problem = FirstError()
        do {
            return try await exchange(request) { head, piece throws(TransportError) in
                do {
                    try await receive(MSALAPIResponse(status: head.status, headers: head.headers), piece)
                } catch {
                    problem.note(error)
                    throw TransportError(.canceled, message: "The receiver of the body ended the exchange.")
                }
            }
        } catch {
            throw problem.error ?? error
        }
    }

    private func exchange(_ request: MSALAPIRequest, receiver: BodyReceiver?) async throws -> MSALAPIResponse {
        guard request.url.scheme?.lowercased() == "https" else {
            throw AuthError(.invalidParameter, message: "A request is sent to https addresses only.").nsError
        }
        do throws(TransportError) {
            var message = try request.message()
            message.receiver = receiver
            // A URL that needs no token, such as an upload URL, is itself a credential.
            message.hasSecretPath = !request.headers.keys.contains { $0.lowercased() == "authorization" }
            let reply = try await transport.send(message)
            return MSALAPIResponse(status: reply.status, headers: reply.headers, body: reply.body)
        } catch {
            throw AuthError(error).nsError
        }
    }
}

/// The error with which a receiver ended an exchange.
private final class FirstError: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock(\.self) }

    func note(_ error: any Error) { state.withLock { $0 = $0 ?? error } }
}
