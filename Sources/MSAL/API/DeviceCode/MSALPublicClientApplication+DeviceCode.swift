// Licensed under the MIT License. See LICENSE.

import MSALSupport

extension MSALPublicClientApplication {
    /// Signs the user in with a code that is typed in a browser elsewhere, and gets a token. Linux only.
    ///
    /// This is for machines without a browser. Many tenants block it: prefer
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` with ``MSALWebviewParameters/onPaste``. The service is asked
    /// at the pace that it wants, until the user has signed in or the code expires. Cancelling the task ends the wait; so does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token; it is stored, with what renews it. `isPersisted` is `false` where the store did not take
    ///   it.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: the user declined, or the request's own time is over.
    ///   ``MSALError/serverDeclinedScopes``: use the result in `MSALInvalidResultKey`, or ask again.
    ///   ``MSALError/internal`` with -42104: the code expired, `expired_token` under `MSALOAuthErrorKey`, or it is not
    ///   known any more: ask for another; with another detail of an OAuth error: the tenant or the registration forbids
    ///   device codes, see the description; with -42008: the authority offers none; with -42000, -42402, -42600 and
    ///   -42007: as in a browser's sign-in. `NSURLErrorDomain`: try again when the network is back.
    /// - SeeAlso: RFC 8628.
    public func acquireToken(with parameters: MSALDeviceCodeTokenParameters) async throws -> MSALResult {
        try await acquireToken(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in with a code; see ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)``. Linux only.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, it is called before this method returns.
    @preconcurrency
    public func acquireToken(
        with parameters: MSALDeviceCodeTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            try client().check(request)
            let id = request.token.correlationID
            deliver(to: completionBlock, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.acquireToken(.success(request))
            }
        } catch {
            let failure = refused(.interactive, error: error, parameters: parameters)
            deliverAtOnce(to: completionBlock, on: target(queue)) { throw failure }
        }
    }

    /// Begins a sign-in with a code, and gives its states one after the other. Linux only.
    ///
    /// The first state has the code, the last one the token. A failure is thrown by the loop, as
    /// ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)`` throws it.
    public func deviceCodeStates(with parameters: MSALDeviceCodeTokenParameters) -> MSALDeviceCodeStates {
        let request = Result { () throws(AuthError) in try parameters.snapshot() }
        let (states, continuation) = AsyncThrowingStream.makeStream(of: MSALDeviceCodeState.self)
        // The stream owns this task: it is cancelled when nobody reads the stream any more.
        let task = Task {
            do {
                let result = try await acquireToken(
                    request.map { request in
                        var request = request
                        let report = request.report
                        request.report = { event in
                            continuation.yield(MSALDeviceCodeState(event))
                            report(event)
                        }
                        return request
                    }
                )
                var last = MSALDeviceCodeState(.signedIn)
                last.result = result
                continuation.yield(last)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return MSALDeviceCodeStates(states) { task.cancel() }
    }

    private func acquireToken(_ request: Result<DeviceCodeRequest, AuthError>) async throws -> MSALResult {
        try await Log.lines(of: request.correlationID(\.token.correlationID)) {
            try await report(.interactive, account: nil) { client throws(AuthError) in
                try await client.acquireByDeviceCode(try request.get())
            }
        }
    }
}
