// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase

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
        let endWait = CallTimer.begin(.network)
        defer { endWait() }
        let settings = settings()
        var message = message
        let limit = message.timeout ?? settings.timeout
        message.timeout = limit
        let start = time.uptime

        for _ in 0..<(message.repetition == .never ? 0 : max(settings.count, 0)) {
            let outcome = await attempt(message)
            guard let pause = pause(after: outcome, of: message, settings: settings) else { return try outcome.get() }
            if settings.limitsAllAttempts {
                let rest = limit - (time.uptime - start) - pause
                guard rest > .zero else { return try outcome.get() }
                message.timeout = rest
            }
            do {
                try await time.sleep(for: pause)
            } catch {
                throw TransportError(.canceled, message: "The request was canceled while it waited for a retry.")
            }
        }
        return try await attempt(message).get()
    }

    /// The time before the request is repeated. It is `nil` for a final outcome.
    private func pause(
        after outcome: Result<HTTPResponse, TransportError>,
        of message: HTTPMessage,
        settings: RetrySettings
    ) -> Duration? {
        switch outcome {
        case .success(let response):
            let isRepeated = (500...599).contains(response.status) && response[header: "Retry-After"] == nil
            return isRepeated ? settings.interval : nil
        case .failure(let error):
            guard error.isTransient, message.repetition == .always || !error.hasSentBody else { return nil }
            return error.kind == .offline ? settings.offlineInterval : settings.interval
        }
    }

    private func attempt(_ message: HTTPMessage) async -> Result<HTTPResponse, TransportError> {
        let start = time.now
        do throws(TransportError) {
            let response = try await base.send(message)
            log(message, outcome: "\(response)", since: start)
            return .success(response)
        } catch {
            log(message, outcome: "\(error.kind)", since: start)
            return .failure(error)
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
