// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Gets tokens from the identity broker silently.
struct BrokerRenewal: Sendable {
    let app: ClientConfiguration.App
    let access: BrokerAccess
    let tokens: BrokerTokens
    let memory: ClientMemory
    let refreshes: SingleFlight<RefreshKey, TokenResult, AuthError>

    /// The broker's token for a request that the store cannot serve.
    ///
    /// - Returns: `nil` where no broker may be used, or where none has the account.
    /// - Throws: What the broker reports; `.mismatchedUser` and `.broker` for responses that fail a check, with nothing
    ///   remembered; `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Silent.md#broker.
    func result(of search: ResolvedSilentRequest) async throws(AuthError) -> TokenResult? {
        let request = search.request
        let ticket = request.forceRefresh ? refreshes.ticket() : nil
        // A broker binds tokens to a key of its own.
        guard !request.token.keepsOneAccount, request.token.proofKey == nil,
            await access.isAvailable(for: search.authority)
        else { return nil }
        do {
            // A signed request can be used only once.
            guard request.token.proof == nil else { return try await grant(of: search).result }
            // The broker keeps the refresh token.
            let key = RefreshKey(
                search,
                endpoint: search.authority.url,
                clientID: app.clientID,
                refreshToken: Secret("")
            )
            return try await refreshes.run(key, startedAfter: ticket) {
                await Result { () async throws(AuthError) in try await grant(of: search).result }
            }
        } catch {
            guard error.allowsNextMode else { throw error }
            Log.info("The identity broker was not used: \(error.message)")
            return nil
        }
    }

    /// Asks the broker once.
    private func grant(of search: ResolvedSilentRequest) async throws(AuthError) -> BrokerGrant {
        let id = search.request.token.correlationID
        let account = try await knownAccount(search.homeAccountID, authority: search.authority, correlationID: id)
        var question = BrokerExchange(
            token: search.request.token,
            requestAuthority: search.requestAuthority,
            authority: search.authority,
            account: account,
            homeAccountID: search.homeAccountID
        )
        question.token.claims = search.request.identity.claims
        var request = question.request(of: app)
        if search.request.forceRefresh { request.accessTokenToRenew = lastToken(for: search.request.identity) }
        let token: BrokerToken
        do throws(BrokerFailure) {
            token = try await access.broker.tokenSilently(request)
        } catch {
            if error.kind == .unknownAccount { access.known.forget(homeAccountID: search.homeAccountID) }
            throw AuthError(error)
        }
        let grant = try await tokens.finish(token, for: question)
        await tokens.remember(grant, for: search.request.identity)
        return grant
    }

    /// The account as the broker last described it. The broker is asked if it has not described it yet.
    ///
    /// - Throws: `.broker(.notAvailable)`, which allows the next sign-in mode, if the broker does not have it.
    private func knownAccount(
        _ homeAccountID: String,
        authority: Authority,
        correlationID: UUID
    ) async throws(AuthError) -> BrokerAccount {
        if let known = access.known[homeAccountID], access.isOfCloud(known, of: authority) { return known }
        let listed = try await access.asked { () async throws(BrokerFailure) in
            try await access.listedAccounts(for: authority, correlationID: correlationID)
        }
        guard let account = listed.account(homeAccountID) else {
            throw AuthError(BrokerFailure(.passedOver, message: "It does not have the account."))
        }
        return account
    }

    /// The last token of the broker for such a request, usable or not.
    private func lastToken(for identity: RequestIdentity) -> Secret? {
        guard let result = (try? memory.lookup(identity.withoutClaims))?.token?.shared.result,
            result.account.isBrokers
        else {
            return nil
        }
        return result.accessToken
    }
}
