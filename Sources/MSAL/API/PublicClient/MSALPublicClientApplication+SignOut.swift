// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// Removes the tokens of an account and, if the parameters ask for it, ends the browser's session.
    ///
    /// If the identity broker of this machine has the account, it forgets it for this client. On a shared device that signs
    /// the user out of the device, for all its apps.
    ///
    /// Tokens are gone even if the broker's or the browser's part fails. A sign-out page that is closed counts as success. APIs accept an
    /// access token that the app has already until it expires.
    ///
    /// - Returns: `true`.
    /// - Throws: `NSError` with ``MSALError/internal``: -42000 without an account, or for the browser without web view
    ///   parameters; -42008 if the store cannot be written, then try again, or if the authority has no sign-out page;
    ///   -42402 if another session is open; on a shared device also -42700 and the other details of
    ///   ``accountsFromDevice(for:)``: the user may be signed in to the device still, try again. ``MSALError/userCanceled`` if the task was cancelled. `NSURLErrorDomain` if
    ///   no response came.
    public func signout(
        with account: MSALAccount?,
        signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        let request = try await correlated { () async throws(AuthError) in try signoutParameters.snapshot(account) }
        return try await signout(account, by: request)
    }

    /// Signs an account out; see ``signout(with:signoutParameters:)``.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, it is called before this method returns.
    @preconcurrency
    public func signout(
        with account: MSALAccount?,
        signoutParameters: MSALSignoutParameters,
        completionBlock signoutCompletionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let block: Completion<Bool> = { isDone, error in signoutCompletionBlock(isDone ?? false, error) }
        let queue = signoutParameters.completionBlockQueue
        do {
            let request = try correlated { () throws(AuthError) in
                _ = try client()
                return try signoutParameters.snapshot(account)
            }
            deliver(to: block, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(request.correlationID))))
            {
                try await self.signout(account, by: request)
            }
        } catch {
            deliverAtOnce(to: block, on: target(queue)) { throw error }
        }
    }

    private func signout(_ account: MSALAccount?, by request: SignOutRequest) async throws -> Bool {
        try await correlated(request.correlationID) { () async throws(AuthError) in
            let client = try client()
            try await client.signOutHere(request)
            if let account { externalAccounts.remove(account, wipeAccount: request.wipesAccount) }
            try await client.signOutFromBroker(request)
            try await client.signOutFromBrowser(request)
            return true
        }
    }

    /// Gives a redirect that the desktop opened the app with to the sign-in that waits for it.
    ///
    /// A desktop may start another process of the app for the redirect: called there, it hands the redirect to the
    /// waiting process of the same user, through a socket in `$XDG_RUNTIME_DIR/msal`. `sourceApplication` is not used
    /// on Linux.
    ///
    /// - Returns: Whether a sign-in waited for it, here or in another process; `false` means that the URL is not the
    ///   library's.
    @discardableResult
    public class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool {
        if RedirectInbox.shared.deliver(response) { return true }
        let relay = RedirectRelay(environment: ProcessInfo.processInfo.environment)
        return relay?.send(response) ?? false
    }

    /// Ends the open session of this process; its request fails with ``MSALError/userCanceled``.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public class func cancelCurrentWebAuthSession() -> Bool {
        CurrentSession.shared.cancel()
    }
}
