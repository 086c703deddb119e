// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import Foundation
import NIOCore

extension [HTTPClient] {
    /// Sends a request through the first client whose server accepts a connection. There is a client for each address of
    /// the server.
    ///
    /// - Throws: The error of `send`. If no server accepts a connection, it is that of the first client.
    package func firstResponse<Response>(_ send: (HTTPClient) async throws -> Response) async throws -> Response {
        var refusal: IOError?
        for client in self {
            do {
                return try await send(client)
            } catch let error as IOError where error.isRefusal {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? IOError(errnoCode: ECONNREFUSED, reason: "connect")
    }
}

extension IOError {
    /// Whether nobody listens at an address, or this machine does not have it.
    fileprivate var isRefusal: Bool {
        [ECONNREFUSED, EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH].contains(errnoCode)
    }
}
