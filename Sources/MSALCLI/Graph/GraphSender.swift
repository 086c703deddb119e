// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// A request to Microsoft Graph.
struct GraphRequest: Sendable {
    var method = "GET"
    var url: URL
    var headers: [String: String] = [:]
    var body: Data?
}

/// Called with each chunk of the body of a successful response, and with the response's head.
typealias GraphReceiver = @Sendable (_ head: MSALAPIResponse, _ piece: Data) async throws -> Void

/// Sends requests with a token to one Microsoft Graph. The token is never sent to another host.
struct GraphSender: Sendable {
    let graph: URL
    let client: MSALAPIClient
    /// The value of the header `Authorization`.
    let authorization: PrivateText
    /// The id by which the service's logs know the requests.
    let correlationID: String
    var budget = RetryBudget()
    /// Whether a request that changes something is repeated too.
    var repeatsChanges = false

    /// The timeout of a request with a large body.
    static let timeout: Duration = .seconds(3600)

    /// The length in bytes up to which the body of a refusal is kept, if it is read in pieces.
    static let maximumReason = 64 << 10

    /// Sends a request with the token. If Microsoft Graph asks for it, the request is repeated.
    ///
    /// `receive`: Gets the body of a success, which may have any length. The result then has no body.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: `Failure` with the status `usage` for an address that is not at this Microsoft Graph; what the library
    ///   throws if no response came; what `receive` throws.
    func send(_ call: GraphRequest, receiving receive: GraphReceiver? = nil) async throws -> GraphHTTPResponse {
        let request = try request(call)
        while true {
            var answer = try await client.answer(to: request, receiving: receive)
            answer.correlationID = correlationID
            answer.isOfChange = call.method != "GET"
            // Microsoft's page "Microsoft Graph throttling guidance".
            guard [429, 503].contains(answer.status), !answer.isOfChange || repeatsChanges,
                try await budget.waits(for: answer)
            else { return answer }
        }
    }

    private func request(_ call: GraphRequest) throws(Failure) -> MSALAPIRequest {
        var request = MSALAPIRequest(url: try GraphAddress.url(call.url.absoluteString, at: graph))
        request.method = call.method
        request.headers = call.headers
        request.headers["client-request-id"] = correlationID
        request.headers["Authorization"] = authorization.exposed
        request.body = call.body
        return request
    }
}

extension MSALAPIClient {
    /// Sends a request. If `receive` is given, it gets the body of a success. The body of any other response is in the
    /// result, up to ``GraphSender/maximumReason``.
    ///
    /// - Throws: As the library's own functions; what `receive` throws.
    func answer(to request: MSALAPIRequest, receiving receive: GraphReceiver?) async throws -> GraphHTTPResponse {
        guard let receive else { return GraphHTTPResponse(try await send(request)) }
        var request = request
        request.maximumResponseSize = .max
        request.timeout = GraphSender.timeout
        let reason = Mutex(Data())
        let head = try await send(request) { head, piece in
            if (200..<300).contains(head.status) {
                try await receive(head, piece)
            } else {
                reason.withLock { $0.append(piece.prefix(GraphSender.maximumReason - $0.count)) }
            }
        }
        return GraphHTTPResponse(head, body: reason.withLock(\.self))
    }
}
