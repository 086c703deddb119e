// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension MSALPublicClientApplication {
    /// Runs a token request and reports its outcome to the log, telemetry, and the app's account stores.
    func report(
        _ call: ServerTelemetry.Call,
        account: String?,
        request: (TokenClient) async throws(AuthError) -> TokenResult
    ) async throws -> MSALResult {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(AuthError) {
            let client = try client()
            let token = try await request(client)
            return succeeded(
                call,
                token: GivenToken(token),
                correlationID: token.correlationID,
                duration: clock.now - start
            )
        } catch {
            throw failed(call, error: error, account: account, duration: clock.now - start)
        }
    }

    /// Reports a successful request to the log, telemetry, and the app's account stores.
    ///
    /// `duration` is only evaluated if the app receives telemetry events.
    func succeeded(
        _ call: ServerTelemetry.Call,
        token: GivenToken,
        correlationID: UUID,
        duration: @autoclosure () -> Duration
    ) -> MSALResult {
        let api = call.name
        if token.result.source == .cache { telemetry?.noteSilentSuccess() }
        let result = MSALResult(token, correlationID: correlationID)
        LogWriter.shared.write(
            .info,
            message:
                """
                \(api) returned a token for \(username: token.result.account.username), \
                scopes \(list: token.result.scopes.values)
                """,
            correlationID: correlationID
        )
        reportEvent(
            of: api,
            event: [
                "correlation_id": correlationID.uuidString, "token_source": result.source.origin.rawValue,
            ],
            duration: duration(),
            isFailure: false,
            userID: token.result.account.homeAccountID
        )
        externalAccounts.update(result)
        return result
    }

    /// Reports a request with invalid parameters to the log and telemetry.
    func refused(
        _ call: ServerTelemetry.Call,
        error: AuthError,
        parameters: MSALTokenParameters
    ) -> NSError {
        let id = error.correlationID ?? parameters.correlationId ?? .random()
        return Log.lines(of: id) {
            failed(call, error: error, account: parameters.account?.identifier, duration: .zero)
        }
    }

    /// Reports a failure to the log and telemetry.
    private func failed(
        _ call: ServerTelemetry.Call,
        error: AuthError,
        account: String?,
        duration: Duration
    ) -> NSError {
        let api = call.name
        let error = Log.correlationID.map(error.correlated) ?? error
        let failure = error.nsError
        try? client().telemetry.note(  // Without a client there is no receiver.
            failure: error.oauth?.error ?? "\(failure.domain)_\(failure.code)",
            of: call,
            correlationID: error.correlationID
        )
        LogWriter.shared.write(
            .error,
            message: """
                \(api) failed: \
                \(error: failure.domain, code: failure.code, description: error.message)
                """,
            correlationID: error.correlationID
        )
        let id = error.correlationID?.uuidString
        reportEvent(
            of: api,
            event: ["error_domain": failure.domain, "error_code": String(failure.code), "correlation_id": id]
                .compactMapValues(\.self),
            duration: duration,
            isFailure: true,
            userID: account
        )
        return failure
    }

    private func reportEvent(
        of api: StaticString,
        event: @autoclosure () -> [String: String],
        duration: @autoclosure () -> Duration,
        isFailure: Bool,
        userID: @autoclosure () -> String?
    ) {
        func complete() -> [String: String] {
            var event = event()
            event["api"] = "\(api)"
            event["is_successful"] = isFailure ? "no" : "yes"
            event["response_time"] = String(Int(duration().seconds * 1000))
            return event
        }
        MSALGlobalConfig.telemetryConfig.report(complete(), isFailure: isFailure, userID: userID())
    }
}

extension ServerTelemetry.Call {
    /// The method of the application object.
    fileprivate var name: StaticString {
        switch self {
        case .silent: "acquireTokenSilent"
        case .interactive: "acquireToken"
        }
    }
}
