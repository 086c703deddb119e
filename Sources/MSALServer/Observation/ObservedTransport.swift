// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
package import MSALCore

/// A transport whose requests are in spans, and are measured.
package struct ObservedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let endpoint: @Sendable (HTTPMessage) -> ObservedEndpoint
    private let time: any TimeSource

    package init(
        _ base: any HTTPTransport,
        time: any TimeSource,
        endpoint: @escaping @Sendable (HTTPMessage) -> ObservedEndpoint
    ) {
        self.base = base
        self.time = time
        self.endpoint = endpoint
    }

    package init(_ base: any HTTPTransport, time: any TimeSource, endpoint: ObservedEndpoint) {
        self.init(base, time: time) { _ in endpoint }
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let instruments = Instruments.current
        let start = time.uptime
        return try await instruments.span(.http) { span throws(TransportError) in
            span.set(host: message.url.host())
            span.set(correlationID: Log.correlationID ?? message.correlationID)
            do throws(TransportError) {
                let response = try await base.send(message)
                span.set(status: response.status)
                instruments.note(endpoint(message), status: response.status, after: time.uptime - start)
                return response
            } catch {
                instruments.note(endpoint(message), status: nil, after: time.uptime - start)
                throw error
            }
        }
    }
}

extension HTTPMessage {
    /// The id under which the service logs the request.
    fileprivate var correlationID: UUID? {
        (headers["client-request-id"] ?? headers["x-ms-client-request-id"]).flatMap(UUID.init(uuidString:))
    }
}
