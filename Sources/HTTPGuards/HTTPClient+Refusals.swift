// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import Foundation
import NIOCore

extension [HTTPClient] {
    /// Sends a request through the first client whose server accepts a connection. There is one client for each address
    /// of the server.
    ///
    /// - Throws: The error of `send`. If no address accepts a connection, the error for the first one.
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
    /// Whether the connection was refused, or this machine does not have the address.
    fileprivate var isRefusal: Bool { [ECONNREFUSED, EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH].contains(errnoCode) }
}
