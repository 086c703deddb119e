// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The implementation of ``signout(with:signoutParameters:)``.
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
