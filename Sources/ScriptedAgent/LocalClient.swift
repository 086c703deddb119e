// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import Foundation
import HTTPGuards
package import NIOCore

/// An HTTP client that asks no name server for `localhost` (RFC 6761 §6.3). Must be shut down.
package struct LocalClient: Sendable {
    /// One for each address of `localhost`, in the order in which they are tried. The first has all other names, too.
    private let clients: [HTTPClient]

    /// The addresses of `localhost`.
    private static let addresses = ["127.0.0.1", "::1"]

    package init(_ configuration: HTTPClient.Configuration) {
        clients = Self.addresses.map { address in
            var copy = configuration.leavingOutInterimResponses
            copy.dnsOverride["localhost"] = configuration.dnsOverride["localhost"] ?? address
            copy.connectionPool.retryConnectionEstablishment = false
            return HTTPClient(eventLoopGroupProvider: .singleton, configuration: copy)
        }
    }

    /// Sends a request.
    ///
    /// - Throws: The error of the HTTP client. If nobody listens, it is that of the first address.
    package func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        var refusal: IOError?
        for client in clients {
            do {
                return try await client.execute(request, timeout: timeout)
            } catch let error as IOError where Self.absences.contains(error.errnoCode) {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? IOError(errnoCode: ECONNREFUSED, reason: "connect")
    }

    /// The errors of the system if nobody listens at an address, or if this machine does not have the address.
    private static let absences: Set<CInt> = [ECONNREFUSED, EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH]

    /// Ends all connections.
    package func shutdown() async throws {
        for client in clients { try await client.shutdown() }
    }
}
