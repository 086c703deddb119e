// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALSupport

/// Sends a request again after a failure that may pass, such as a broken connection.
///
/// By default a request is repeated once, after half a second, or after two seconds if this machine is offline
/// (docs/reference/Protocol.md#transport). It is not repeated after a 4xx such as 429, a failure of TLS or a cancellation.
/// After a 5xx with `Retry-After` the caller keeps the pause. `HTTPMessage.Repetition` protects requests that spend a
/// grant, which the server may have received.
package struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let settings: @Sendable () -> RetrySettings
    private let time: any TimeSource

    /// Wraps `base`. The settings are read at each request, because an app may change them at any time.
    package init(
        base: any HTTPTransport,
        settings: @escaping @Sendable () -> RetrySettings = { RetrySettings() },
        time: any TimeSource
    ) {
        self.base = base
        self.settings = settings
        self.time = time
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let settings = settings()
        var message = message
        message.timeout = message.timeout ?? settings.timeout

        for _ in 0..<(message.repetition == .never ? 0 : max(settings.count, 0)) {
            let pause: Duration
            do throws(TransportError) {
                let response = try await attempt(message)
                guard (500...599).contains(response.status), response[header: "Retry-After"] == nil else {
                    return response
                }
                pause = settings.interval
            } catch {
                guard error.isTransient, message.repetition == .always || !error.hasSentBody else { throw error }
                pause = error.kind == .offline ? settings.offlineInterval : settings.interval
            }
            do {
                try await time.sleep(for: pause)
            } catch {
                throw TransportError(.canceled, message: "The request was cancelled while it waited to be repeated.")
            }
        }
        return try await attempt(message)
    }

    private func attempt(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let start = time.now
        do throws(TransportError) {
            let response = try await base.send(message)
            log(message, outcome: "\(response)", since: start)
            return response
        } catch {
            log(message, outcome: "\(error.kind)", since: start)
            throw error
        }
    }

    /// Logs one attempt. The descriptions of message and response hold no secret.
    private func log(_ message: HTTPMessage, outcome: @autoclosure () -> String, since start: Date) {
        // Every message of the library has this header, and the service's logs repeat it.
        let id = message.headers["client-request-id"].flatMap(UUID.init(uuidString:))
        Log.$correlationID.withValue(id ?? Log.correlationID) {
            Log.verbose("\(message): \(outcome()), \(Int(time.now.timeIntervalSince(start) * 1000)) ms")
        }
    }
}

extension TransportError {
    /// Whether the same request may succeed a moment later.
    package var isTransient: Bool {
        switch kind {
        case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline: true
        case .badURL, .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid,
            .tlsHandshake, .canceled, .badResponse, .responseTooLarge:
            false
        }
    }
}
