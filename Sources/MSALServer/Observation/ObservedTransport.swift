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
        let endWait = CallTimer.begin(.network)
        defer { endWait() }
        let instruments = Instruments.current
        let start = time.uptime
        return try await instruments.span(.http) { span throws(TransportError) in
            span.set(host: message.url.host())
            span.set(correlationID: Log.correlationID ?? message.correlationID)
            let outcome = await Result { () async throws(TransportError) in try await base.send(message) }
            let status = try? outcome.get().status  // The caller gets the failure below.
            if let status { span.set(status: status) }
            instruments.note(endpoint(message), status: status, after: time.uptime - start)
            return try outcome.get()
        }
    }
}

extension HTTPMessage {
    /// The id under which the service logs the request.
    fileprivate var correlationID: UUID? {
        (headers["client-request-id"] ?? headers["x-ms-client-request-id"]).flatMap(UUID.init(uuidString:))
    }
}
