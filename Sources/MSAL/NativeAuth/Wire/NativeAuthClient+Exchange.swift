// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension NativeAuthClient {
    /// Sends a form to an endpoint, and once more if the service or the network failed for a moment.
    ///
    /// Native authentication repeats requests itself. Each attempt asks the app for its headers, and a `Retry-After`
    /// makes no difference (docs/reference/NativeAuthentication.md#interceptor and #attempts).
    ///
    /// - Throws: `TransportError` if no response came; `.canceled` if the calling task was cancelled.
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
            throw TransportError(.canceled, message: "The request was cancelled while it waited to be repeated.")
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

    /// Sends a message once, with the headers of every request and those of the app.
    ///
    /// - Throws: `TransportError` if no response came; `.canceled` if the calling task was cancelled.
    func send(_ message: HTTPMessage, correlationID: UUID) async throws(TransportError) -> HTTPResponse {
        var message = message
        message.headers.merge(tokens.configuration.headers.headers(correlationID: correlationID)) { own, _ in own }
        for (name, value) in await configuration.interceptor?(message.url) ?? [:]
        where NativeAuthConfiguration.isAllowed(header: name) {
            message.headers[name] = value
        }
        guard !Task.isCancelled else {
            throw TransportError(.canceled, message: "The request was cancelled before it was sent.")
        }
        return try await tokens.platform.transport.send(message)
    }
}
