// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALPublicClientApplication {
    /// Begins a sign-in with a code, and returns its states as a sequence. Linux only.
    ///
    /// The first state contains the code, the last one the token. The loop throws the same errors as
    /// ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)``.
    public func deviceCodeStates(with parameters: MSALDeviceCodeTokenParameters) -> MSALDeviceCodeStates {
        let request = Result { () throws(AuthError) in try parameters.snapshot() }
        let (states, continuation) = AsyncThrowingStream.makeStream(of: MSALDeviceCodeState.self)
        // The stream owns this task: it is canceled when the stream is no longer read.
        let task = Task {
            do {
                let result = try await signInWithCode(
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

    /// The implementation of ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)``.
    func signInWithCode(_ request: Result<DeviceCodeRequest, AuthError>) async throws -> MSALResult {
        try await Log.lines(of: request.correlationID(\.token.correlationID)) {
            try await withReport(of: .interactive, account: nil) { client throws(AuthError) in
                try await client.deviceCode.acquire(try request.get())
            }
        }
    }

    /// The same, but passes the result to a completion block.
    func signInWithCode(with parameters: MSALDeviceCodeTokenParameters, to block: @escaping Completion<MSALResult>) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            try client().deviceCode.check(request)
            let id = request.token.correlationID
            deliver(to: block, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.signInWithCode(.success(request))
            }
        } catch {
            let failure = reportRefusal(of: .interactive, error: error, parameters: parameters)
            deliverImmediately(to: block, on: refusalTarget(queue, of: parameters.correlationId)) { throw failure }
        }
    }
}
