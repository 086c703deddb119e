// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
import Foundation
import MSALBase
package import NIOCore
import Synchronization

/// An HTTP client that resolves `localhost` and its subdomains without a name server (RFC 6761 §6.3). Must be shut
/// down.
package final class LocalClient: Sendable {
    private let configuration: HTTPClient.Configuration
    /// For each local name, one client for each of its addresses, in the order in which to try them. All other names
    /// share the client with the key `nil`.
    private let clients = Mutex<[String?: [HTTPClient]]>([:])

    package init(_ configuration: HTTPClient.Configuration) {
        self.configuration = configuration.leavingOutInterimResponses
    }

    /// Runs a closure with a client, and shuts the client down afterward.
    package static func with<Value>(
        _ configuration: HTTPClient.Configuration,
        body: (LocalClient) async throws -> Value
    ) async throws -> Value {
        let client = LocalClient(configuration)
        let result = await Result { () async throws in try await body(client) }
        try await client.shutdown()
        return try result.get()
    }

    /// Sends a request.
    ///
    /// - Throws: The error of the HTTP client. If the connection is refused, the error for the first address.
    package func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        try await clients(for: URL(string: request.url)?.host()).firstResponse { client in
            try await client.execute(request, timeout: timeout)
        }
    }

    private func clients(for host: String?) -> [HTTPClient] {
        let name = host.flatMap { LoopbackAddress.isName($0) && configuration.dnsOverride[$0] == nil ? $0 : nil }
        return clients.withLock { clients in
            if let known = clients[name] { return known }
            let addresses: [String?] = name == nil ? [nil] : LoopbackAddress.all
            let made = addresses.map { address in
                var copy = configuration
                if let name, let address { copy.dnsOverride[name] = address }
                copy.connectionPool.retryConnectionEstablishment = false
                return HTTPClient(eventLoopGroupProvider: .singleton, configuration: copy)
            }
            clients[name] = made
            return made
        }
    }

    /// Ends all connections.
    package func shutdown() async throws {
        for client in clients.withLock({ $0.values.joined() }) { try await client.shutdown() }
    }
}
