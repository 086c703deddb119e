// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension NativeAuthClient {
    /// Sends a form to an endpoint, and retries once after a transient failure of the service or the network.
    ///
    /// Native authentication has its own retries: each attempt asks the app for its headers, and `Retry-After` is
    /// ignored (docs/reference/NativeAuthentication.md#interceptor and #attempts).
    ///
    /// - Throws: `TransportError` if there was no response; `.canceled` if the calling task was canceled.
    func exchange(
        _ form: FormBody,
        with endpoint: NativeAuthEndpoint,
        correlationID: UUID
    ) async throws(TransportError) -> HTTPResponse {
        let pause: Duration
        do throws(TransportError) {
            let response = try await attempt(form, with: endpoint, correlationID: correlationID)
            guard (500...599).contains(response.status) else { return response }
            pause = .milliseconds(500)
        } catch {
            guard error.isTransient else { throw error }
            pause = error.kind == .offline ? .seconds(2) : .milliseconds(500)
        }
        do {
            try await tokens.platform.time.sleep(for: pause)
        } catch {
            throw TransportError(.canceled, message: "The request was canceled while it waited to be retried.")
        }
        return try await attempt(form, with: endpoint, correlationID: correlationID)
    }

    private func attempt(
        _ form: FormBody,
        with endpoint: NativeAuthEndpoint,
        correlationID: UUID
    ) async throws(TransportError) -> HTTPResponse {
        let authority = tokens.configuration.authorityRules.configured
        let url = endpoint.url(below: authority, dataCenter: configuration.sliceDataCenter)
        var message = HTTPMessage(method: "POST", to: try HTTPAddress(built: url), body: form.data)
        message.headers["Content-Type"] = "application/x-www-form-urlencoded"
        let last = tokens.telemetry.last()
        let request = endpoint.telemetry
        message.headers["x-client-current-telemetry"] = ServerTelemetry.current(
            call: request.api,
            operation: request.operation
        )
        message.headers["x-client-last-telemetry"] = last.text
        message.repetition = .never
        let response = try await send(message, correlationID: correlationID)
        if response.status == 200 { tokens.telemetry.forget(last) }
        return response
    }

    /// Sends a message once, with the common headers and those of the app.
    ///
    /// - Throws: `TransportError` if there was no response; `.canceled` if the calling task was canceled.
    func send(_ message: HTTPMessage, correlationID: UUID) async throws(TransportError) -> HTTPResponse {
        var message = message
        message.headers.merge(tokens.configuration.headers.headers(correlationID: correlationID)) { own, _ in own }
        for (name, value) in await configuration.interceptor?(message.url) ?? [:]
        where NativeAuthConfiguration.isAllowed(header: name) {
            message.headers[name] = value
        }
        guard !Task.isCancelled else {
            throw TransportError(.canceled, message: "The request was canceled before it was sent.")
        }
        return try await tokens.platform.transport.send(message)
    }
}
