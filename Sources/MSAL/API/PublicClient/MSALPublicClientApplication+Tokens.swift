// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import Synchronization

extension MSALPublicClientApplication {
    /// The implementation of ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    func acquireInteractively(_ request: Result<InteractiveRequest, AuthError>) async throws -> MSALResult {
        do {
            let result = try await Log.lines(of: request.correlationID(\.token.correlationID)) {
                try await withReport(of: .interactive, account: nil) { client throws(AuthError) in
                    try await client.interactive.acquire(try request.get())
                }
            }
            NotificationCenter.default.post(name: .MSALWebAuthDidComplete, object: nil)
            return result
        } catch {
            post(error)
            throw error
        }
    }

    /// The same, but passes the result to a completion block.
    func acquireInteractively(
        with parameters: MSALInteractiveTokenParameters,
        to block: @escaping Completion<MSALResult>
    ) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            let id = request.token.correlationID
            try client().interactive.check(request)
            deliver(to: block, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.acquireInteractively(.success(request))
            }
        } catch {
            let failure = reportRefusal(of: .interactive, error: error, parameters: parameters)
            post(failure)
            deliverImmediately(to: block, on: refusalTarget(queue, of: parameters.correlationId)) { throw failure }
        }
    }

    private func post(_ failure: any Error) {
        NotificationCenter.default.post(name: .MSALWebAuthDidFail, object: nil, userInfo: ["error": failure])
    }

    /// The result of a silent request that memory serves, without a wait; otherwise what memory has for the request.
    ///
    /// `identity`: `nil` for a request that memory may not serve. With the unchecked authorities of MSAL 1.x it serves none.
    func resultFromMemory(
        _ identity: RequestIdentity?,
        correlationID: UUID
    ) -> (result: MSALResult?, lookup: ClientMemory.Lookup?) {
        guard let identity, validatesAuthority.load(ordering: .relaxed) else { return (nil, nil) }
        let start = MSALGlobalConfig.telemetryConfig.wantsSuccesses ? ContinuousClock.now : nil
        guard let lookup = memory?.lookupIfOpen(identity) else { return (nil, nil) }
        guard let token = lookup.usable else { return (nil, lookup) }
        let result = reportSuccess(
            of: .silent,
            token: token.shared,
            correlationID: correlationID,
            duration: start.map { $0.duration(to: .now) } ?? .zero
        )
        return (result, nil)
    }

    /// Runs the silent flow. `remembered` is what memory has for the request, if that was looked up.
    func acquireSilently(
        _ request: Result<SilentRequest, AuthError>,
        remembered: ClientMemory.Lookup?
    ) async throws -> MSALResult {
        let known = try? request.get()  // An invalid request fails in the call below.
        return try await Log.lines(of: request.correlationID(\.token.correlationID)) {
            try await withReport(of: .silent, account: known?.account?.homeAccountID) { client throws(AuthError) in
                try await client.silent.acquire(try request.get(), remembered: remembered)
            }
        }
    }

    /// Gets a token from memory or by the silent flow, and passes it to a completion block.
    func acquireSilently(with parameters: MSALSilentTokenParameters, to block: @escaping Completion<MSALResult>) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            try client().silent.check(request)
            deliver(to: block, on: target(queue)) {
                let (result, remembered) = self.resultFromMemory(
                    request.acceptsStoredToken ? request.identity : nil,
                    correlationID: request.token.correlationID
                )
                if let result { return result }
                return try await self.acquireSilently(.success(request), remembered: remembered)
            }
        } catch {
            let failure = reportRefusal(of: .silent, error: error, parameters: parameters)
            deliverImmediately(to: block, on: target(queue)) { throw failure }
        }
    }
}

extension Result where Failure == AuthError {
    /// The correlation ID of a request, even if its parameters are invalid and no request is made.
    func correlationID(_ id: (Success) -> UUID) -> UUID? {
        switch self {
        case .success(let request): id(request)
        case .failure(let error): error.correlationID
        }
    }
}

// MARK: - Reports

extension MSALPublicClientApplication {
    /// Runs a token request and reports its outcome to the log, telemetry, and the app's account stores.
    func withReport(
        of call: ServerTelemetry.Call,
        account: String?,
        request: (TokenClient) async throws(AuthError) -> TokenResult
    ) async throws -> MSALResult {
        let (outcome, durations) = await CallTimer.measuring(by: core?.platform.time ?? SystemTime()) {
            await Result { () async throws(AuthError) in try await request(try client()) }
        }
        switch outcome {
        case .success(let token):
            return reportSuccess(
                of: call,
                token: SharedTokenResult(token),
                correlationID: token.correlationID,
                durations: durations,
                duration: durations.total
            )
        case .failure(var error):
            error.durations = durations
            throw reportFailure(of: call, error: error, account: account, duration: durations.total)
        }
    }

    /// Reports a successful request to the log, telemetry, and the app's account stores.
    ///
    /// `duration` is only evaluated if the app receives telemetry events.
    func reportSuccess(
        of call: ServerTelemetry.Call,
        token: SharedTokenResult,
        correlationID: UUID,
        durations: CallDurations = CallDurations(),
        duration: @autoclosure () -> Duration
    ) -> MSALResult {
        let api = call.name
        if token.result.source == .cache { telemetry?.noteSilentSuccess() }
        let result = MSALResult(token, correlationID: correlationID, durations: durations)
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
        // Turning claims into objects costs more than a whole silent hit.
        if !externalAccounts.isEmpty { externalAccounts.update(result) }
        return result
    }

    /// Reports a request with invalid parameters to the log and telemetry.
    func reportRefusal(of call: ServerTelemetry.Call, error: AuthError, parameters: MSALTokenParameters) -> NSError {
        let id = error.correlationID ?? parameters.correlationId ?? .random()
        return Log.lines(of: id) {
            reportFailure(of: call, error: error, account: parameters.account?.identifier, duration: .zero)
        }
    }

    /// Reports a failure to the log and telemetry.
    private func reportFailure(
        of call: ServerTelemetry.Call,
        error: AuthError,
        account: String?,
        duration: Duration
    ) -> NSError {
        let api = call.name
        let error = Log.correlationID.map { error.correlated($0) } ?? error
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
