// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

extension MSALPublicClientApplication {
    /// Signs the user in through the identity broker of this machine or through the browser, and gets a token.
    ///
    /// A broker is asked first, if there is one and ``MSALGlobalConfig/brokerAvailability`` allows it: where the device is
    /// signed in, no page is shown. Otherwise the library opens the address in the user's browser. The response comes to a
    /// port of this machine or through the app's own scheme. Where no browser can be started, the user may open the address elsewhere, if the app sets
    /// ``MSALWebviewParameters/onPaste`` or ``MSALInteractiveTokenParameters/onDeviceCode``; see
    /// ``signInPlan(for:)``. Cancelling the task ends the wait; so does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token; it is stored, with what renews it. `isPersisted` is `false` where the store did not take
    ///   it. A token of the broker stays in memory, and the store gets the account.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: do nothing. ``MSALError/serverDeclinedScopes``: use the result
    ///   in `MSALInvalidResultKey`, or ask again. ``MSALError/internal`` with -42402: another sign-in of this process
    ///   is open; with -42000 or -42010: correct the parameters or the authority; with -42011: free the port of the
    ///   redirect; with -42008: no way to sign in works on this machine, and the description says why; with -42501 or
    ///   -42600: the response failed a check and nothing is stored, start again; with -42007: try again later. From the
    ///   broker: -42101 if another account signed in than the one asked for; -42700, -42705 or -42711 if it does not
    ///   respond, makes no sense or fails, name other ``MSALInteractiveTokenParameters/ways`` then; -42714 if it is the only
    ///   way and cannot do this; ``MSALError/workplaceJoinRequired`` if the device has to be registered.
    ///   `NSURLErrorDomain`: try again when the network is back.
    /// - SeeAlso: RFC 6749 §4.1, RFC 7636, RFC 8252.
    public func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult {
        try await acquireToken(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in through the browser and gets a token; see
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, it is called before this method returns.
    @preconcurrency
    public func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            let id = request.token.correlationID
            try client().check(request)
            deliver(to: completionBlock, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.acquireToken(.success(request))
            }
        } catch {
            let failure = refused(.interactive, error: error, parameters: parameters)
            post(failure)
            deliverAtOnce(to: completionBlock, on: target(queue)) { throw failure }
        }
    }

    /// Gets a token without the user: from the store, for the account's refresh token, or from the identity broker of this
    /// machine.
    ///
    /// - Returns: A token with more life left than the configuration's `tokenExpirationBuffer`; while the service is
    ///   down possibly an older one.
    /// - Throws: `NSError`. ``MSALError/interactionRequired``: call
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    ///   ``MSALError/serverDeclinedScopes``, ``MSALError/workplaceJoinRequired``, `NSURLErrorDomain` and the details of
    ///   ``MSALError/internal`` as there;
    ///   also -42008 if the token store cannot be used, whose description says what to do, and -42102 if several
    ///   accounts have the user name of an account without identifier.
    /// - SeeAlso: RFC 6749 §6.
    public func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        try await acquireTokenSilent(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Gets a token without the user; see ``acquireTokenSilent(with:)``.
    ///
    /// The block runs on the queue of the parameters, else straight from the task, on any thread. Where the parameters
    /// are at fault and name no queue, it is called before this method returns.
    @preconcurrency
    public func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        let queue = parameters.completionBlockQueue
        do throws(AuthError) {
            let request = try parameters.snapshot()
            try client().check(request)
            deliver(to: completionBlock, on: target(queue)) {
                try await self.acquireTokenSilent(.success(request))
            }
        } catch {
            let failure = refused(.silent, error: error, parameters: parameters)
            deliverAtOnce(to: completionBlock, on: target(queue)) { throw failure }
        }
    }

    private func acquireToken(_ request: Result<InteractiveRequest, AuthError>) async throws -> MSALResult {
        do {
            let result = try await Log.lines(of: request.correlationID(\.token.correlationID)) {
                try await report(.interactive, account: nil) { client throws(AuthError) in
                    try await client.acquireInteractively(try request.get())
                }
            }
            NotificationCenter.default.post(name: .MSALWebAuthDidComplete, object: nil)
            return result
        } catch {
            post(error)
            throw error
        }
    }

    private func post(_ failure: any Error) {
        NotificationCenter.default.post(name: .MSALWebAuthDidFail, object: nil, userInfo: ["error": failure])
    }

    private func acquireTokenSilent(_ request: Result<SilentRequest, AuthError>) async throws -> MSALResult {
        let known = try? request.get()  // A bad request fails in the call below.
        if let known {
            let start = MSALGlobalConfig.telemetryConfig.wantsSuccesses ? ContinuousClock.now : nil
            if let token = remembered(known) {
                return succeeded(.silent, token: token, duration: start.map { $0.duration(to: .now) } ?? .zero)
            }
        }
        return try await Log.lines(of: request.correlationID(\.token.correlationID)) {
            try await report(.silent, account: known?.account?.homeAccountID) { client throws(AuthError) in
                try await client.acquireSilently(try request.get())
            }
        }
    }
}

extension Result where Failure == AuthError {
    /// The id of a request, or of the one that its parameters do not make.
    func correlationID(_ id: (Success) -> UUID) -> UUID? {
        switch self {
        case .success(let request): id(request)
        case .failure(let error): error.correlationID
        }
    }
}
