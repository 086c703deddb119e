// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension MSALPublicClientApplication {
    /// The implementation of ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    func signIn(_ request: Result<InteractiveRequest, AuthError>) async throws -> MSALResult {
        do {
            let result = try await Log.lines(of: request.correlationID(\.token.correlationID)) {
                try await report(.interactive, account: nil) { client throws(AuthError) in
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
    func signIn(with parameters: MSALInteractiveTokenParameters, to block: @escaping Completion<MSALResult>) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            let id = request.token.correlationID
            try client().interactive.check(request)
            deliver(to: block, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.signIn(.success(request))
            }
        } catch {
            let failure = refused(.interactive, error: error, parameters: parameters)
            post(failure)
            deliverAtOnce(to: block, on: refusalTarget(queue, of: parameters.correlationId)) { throw failure }
        }
    }

    private func post(_ failure: any Error) {
        NotificationCenter.default.post(name: .MSALWebAuthDidFail, object: nil, userInfo: ["error": failure])
    }

    /// The implementation of ``acquireTokenSilent(with:)`` if the memory has no token.
    func silentToken(_ request: Result<SilentRequest, AuthError>) async throws -> MSALResult {
        let known = try? request.get()  // An invalid request fails in the call below.
        return try await Log.lines(of: request.correlationID(\.token.correlationID)) {
            try await report(.silent, account: known?.account?.homeAccountID) { client throws(AuthError) in
                try await client.silent.acquire(try request.get())
            }
        }
    }

    /// The same, but passes the result to a completion block.
    func silentToken(with parameters: MSALSilentTokenParameters, to block: @escaping Completion<MSALResult>) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            let identity = parameters.identity
            try client().silent.check(request)
            deliver(to: block, on: target(queue)) {
                if let result = self.remembered(identity, correlationID: request.token.correlationID) { return result }
                return try await self.silentToken(.success(request))
            }
        } catch {
            let failure = refused(.silent, error: error, parameters: parameters)
            deliverAtOnce(to: block, on: target(queue)) { throw failure }
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
