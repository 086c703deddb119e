// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The implementation of ``signout(with:signoutParameters:)-(MSALAccount,_)``.
    func signOut(_ account: MSALAccount?, with parameters: MSALSignoutParameters) async throws -> Bool {
        let request = try await correlated { () async throws(AuthError) in try parameters.snapshot(account) }
        return try await signOut(account, by: request)
    }

    /// The same, but passes the result to a completion block.
    func signOut(
        _ account: MSALAccount?,
        with parameters: MSALSignoutParameters,
        to completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let block: Completion<Bool> = { isDone, error in completionBlock(isDone ?? false, error) }
        let queue = parameters.completionBlockQueue
        do {
            let request = try correlated { () throws(AuthError) in
                _ = try client()
                return try parameters.snapshot(account)
            }
            let id = request.correlationID
            deliver(to: block, on: target(queue, else: .mainQueueIfServed(mainQueue.beginCall(id)))) {
                try await self.signOut(account, by: request)
            }
        } catch {
            deliverImmediately(to: block, on: refusalTarget(queue, of: nil)) { throw error }
        }
    }

    private func signOut(_ account: MSALAccount?, by request: SignOutRequest) async throws -> Bool {
        try await correlated(request.correlationID) { () async throws(AuthError) in
            let client = try client()
            try await client.signOut.signOutLocally(request)
            if let account { externalAccounts.remove(account, wipeAccount: request.wipesAccount) }
            try await client.signOut.onDevice(request)
            try await client.signOut.inBrowser(request)
            return true
        }
    }
}

/// The same methods for an optional account, as in version 0.x of this library.
extension MSALPublicClientApplication {
    /// Removes this client's tokens of an account; `nil` does nothing.
    ///
    /// - Throws: The errors of the method for an account.
    @_disfavoredOverload
    public func remove(_ account: MSALAccount?) throws {
        if let account { try remove(account) }
    }

    /// Signs an account out, if there is one.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 without an account; otherwise the errors of
    ///   the method for an account.
    @_disfavoredOverload
    public func signout(with account: MSALAccount?, signoutParameters: MSALSignoutParameters) async throws -> Bool {
        guard let account else { return try await signOut(nil, with: signoutParameters) }
        return try await signout(with: account, signoutParameters: signoutParameters)
    }

    /// Signs an account out, if there is one, and passes the result or the error to the block.
    @_disfavoredOverload
    @preconcurrency
    public func signout(
        with account: MSALAccount?,
        signoutParameters: MSALSignoutParameters,
        completionBlock signoutCompletionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        guard let account else { return signOut(nil, with: signoutParameters, to: signoutCompletionBlock) }
        signout(with: account, signoutParameters: signoutParameters, completionBlock: signoutCompletionBlock)
    }
}
