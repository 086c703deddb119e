// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

extension TokenClient {
    /// Gets a new token: with the refresh tokens of the store, or else from the identity broker, if that has the account.
    ///
    /// - SeeAlso: docs/reference/Silent.md#broker.
    func renew(_ account: StoredAccount) async throws(AuthError) -> TokenResult {
        let search = account.search
        let broker = BrokerSilentRequest(
            request: search.request,
            identity: search.identity,
            homeAccountID: search.homeAccountID,
            base: search.base,
            authority: search.authority
        )
        if !search.request.mayUseOwnRefreshToken, let result = try await brokerResult(broker) { return result }
        do {
            return try await refresh(account)
        } catch {
            // Only the user can help, or the sign-in of the device.
            guard case .interactionRequired = error.kind, search.request.mayUseOwnRefreshToken else { throw error }
            let hasOwnToken = account.renewal?.tokens.isEmpty == false
            return try await result(of: broker, after: error, hasOwnToken: hasOwnToken)
        }
    }

    /// The broker's token after `refusal`, which stays the failure if no broker has the account. For an account with a
    /// refresh token of its own, the service's words count more than a broker's trouble.
    private func result(
        of broker: BrokerSilentRequest,
        after refusal: AuthError,
        hasOwnToken: Bool
    ) async throws(AuthError) -> TokenResult {
        let result: TokenResult?
        do {
            result = try await brokerResult(broker)
        } catch {
            guard hasOwnToken, error.allowsFallback else { throw error }
            Log.info("The identity broker gave no token either: \(error.message)")
            throw refusal
        }
        guard let result else { throw refusal }
        return result
    }
}
