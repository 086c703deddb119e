// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

extension TokenClient {
    /// Posts a form to the token endpoint and reads the response by its status
    /// (docs/reference/Protocol.md#response-status).
    ///
    /// - Throws: `.tokenRefused` for an OAuth error, `.http` for a status without one, `.invalidResponse` for a body
    ///   that is no JSON object or has a token that no header can carry, `.transport` where no response came.
    func post(
        _ form: FormBody,
        to endpoint: URL,
        request: TokenRequest,
        source: TokenSource,
        repetition: HTTPMessage.Repetition,
        mailbox: String?
    ) async throws(AuthError) -> TokenResponse {
        let report = telemetry.last()
        let (members, response) = try await members(
            of: form,
            to: endpoint,
            named: "The token endpoint",
            request: request,
            source: source,
            report: report,
            repetition: repetition,
            mailbox: mailbox
        )
        telemetry.forget(report)
        return try TokenResponse(
            accepting: members,
            receivedAt: platform.time.now,
            serverDate: response[header: "Date"].flatMap(RetryAfter.httpDate)
        )
    }

    /// Posts a form to an endpoint of the service and reads the members of the response.
    ///
    /// `name`: The endpoint, for the texts of errors. `report`: What the service is to learn of earlier calls.
    ///
    /// - Throws: As ``post(_:to:request:source:repetition:mailbox:)``.
    func members(
        of form: FormBody,
        to endpoint: URL,
        named name: String,
        request: TokenRequest,
        source: TokenSource,
        report: ServerTelemetry.Report,
        repetition: HTTPMessage.Repetition,
        mailbox: String?
    ) async throws(AuthError) -> (members: [String: JSONValue], response: HTTPResponse) {
        var query = FormBody()
        query.merge(configuration.extraQueryParameters)
        query.merge(request.extraQueryParameters)
        let response: HTTPResponse
        do throws(TransportError) {
            var message = HTTPMessage(
                method: "POST",
                to: try HTTPAddress(built: query.appended(to: endpoint)),
                headers: configuration.headers.headers(correlationID: request.correlationID, mailbox: mailbox),
                body: form.data
            )
            message.repetition = repetition
            message.headers["Content-Type"] = "application/x-www-form-urlencoded"
            message.headers["x-client-current-telemetry"] = ServerTelemetry.current(source)
            message.headers["x-client-last-telemetry"] = report.text
            response = try await platform.transport.send(message)
        } catch {
            throw AuthError(error)
        }

        let source = "\(name) of \(endpoint.host() ?? "the service")"
        guard [200, 400, 401].contains(response.status) else { throw AuthError(response, from: source) }
        guard let members = JSONValue(parsing: response.body)?.object else {
            throw AuthError(
                .invalidResponse,
                message: "\(source) responded with something that is not a JSON object (HTTP \(response.status), "
                    + "\(response.body.count) bytes). A proxy or a sign-in portal of the network may stand between."
            )
        }
        if var error = OAuthError(members: members) {
            error.status = response.status
            error.retryAfter = response[header: "Retry-After"]
            throw AuthError(.tokenRefused(error), message: error.description ?? "The service refused: \(error.error).")
        }
        guard response.status == 200 else { throw AuthError(response, from: source) }
        return (members, response)
    }
}
