// Licensed under the MIT License. See LICENSE.

private import MSALBase
package import MSALCore
private import Synchronization

/// Sends requests to an API without an application object. Linux only.
///
/// It is for tokens that ``MSALPublicClientApplication`` does not have, such as those of a service, and for addresses that
/// take no token, such as the address of an upload. The requests go the way that the library's own requests go: by the
/// proxies of the environment, and with the certificates of the CA file and `SSL_CERT_FILE`. No header is added but
/// `User-Agent`. No request is repeated, and no redirect is followed. Each request leaves a log line at
/// ``MSALLogLevel/verbose``, as the library's own requests do.
public struct MSALAPIClient: Sendable, ClosedMirror {
    private let transport: any HTTPTransport

    /// Makes a client. Connections are opened with the first request.
    ///
    /// - Parameter caFile: A PEM file with certificate authorities that are trusted beside those of the system.
    public init(caFile: URL? = nil) {
        self.init(transport: AsyncHTTPClientTransport(HTTPSettings(caFile: caFile)))
    }

    package init(transport: any HTTPTransport) {
        // It logs the requests. It repeats none of them, because a message of this client says so.
        self.transport = RetryingTransport(base: transport, time: SystemTime())
    }

    /// Sends a request and reads the whole response.
    ///
    /// - Parameter request: The request. A token is a header of it, `Authorization`.
    /// - Returns: The response, with any status.
    /// - Throws: `NSURLErrorDomain` if no response came: try again, or correct what the description names.
    ///   ``MSALError/userCanceled`` if the task was cancelled. Detail -42000 for an address that is not https.
    public func send(_ request: MSALAPIRequest) async throws -> MSALAPIResponse {
        try await exchange(request, receiver: nil)
    }

    /// Sends a request and hands on the body of the response piece by piece, so that it needs no memory.
    ///
    /// - Parameters:
    ///   - request: The request. Its limits of size and time are for the whole body.
    ///   - receive: Is called for each piece in order, with the head of the response, whose body is empty. The next piece
    ///     is read when it returns. An error that it throws ends the exchange.
    /// - Returns: The head of the response.
    /// - Throws: As ``send(_:)``; what `receive` throws.
    public func send(
        _ request: MSALAPIRequest,
        receiving receive: @escaping @Sendable (_ head: MSALAPIResponse, _ piece: Data) async throws -> Void
    ) async throws -> MSALAPIResponse {
        let problem = FirstProblem()
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
            // An address that takes no token, such as that of an upload, is a permission by itself.
            message.hasSecretPath = !request.headers.keys.contains { $0.lowercased() == "authorization" }
            let reply = try await transport.send(message)
            return MSALAPIResponse(status: reply.status, headers: reply.headers, body: reply.body)
        } catch {
            throw AuthError(error).nsError
        }
    }
}

/// The error with which a receiver ended an exchange.
private final class FirstProblem: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock(\.self) }

    func note(_ error: any Error) {
        state.withLock { $0 = $0 ?? error }
    }
}
