// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The checks of a broker's response, and what is kept of it: names and the sign-in in the store, the token in memory only
/// (docs/reference/Broker.md#memory).
struct BrokerTokens: Sendable {
    let app: ClientConfiguration.App
    let access: BrokerAccess
    let store: ClientStore
    let memory: ClientMemory
    let throttle: Throttle
    let time: any TimeSource

    /// Makes a result of a response: checks it, remembers what may be remembered, and looks at the scopes.
    ///
    /// It does not run on the caller's actor, because the disk may be slow (docs/reference/Store.md#main-thread).
    ///
    /// - Throws: As ``accept(_:for:)``; `.declinedScopes` with a usable result.
    @concurrent func finish(_ token: BrokerToken, for question: BrokerExchange) async throws(AuthError) -> BrokerGrant {
        var grant = try accept(token, for: question)
        // A guest's response may describe the account as another tenant knows it. Later
        // requests send the account as the broker itself lists it.
        if let account = token.account, access.known[account.homeAccountID] == nil { access.known.remember(account) }
        // A store that cannot be opened now fails again when the account is saved. The failure is reported there.
        try? await store.prepare(for: .writing)
        grant.result.isPersisted = keep(grant, for: question)
        if question.isSignIn { throttle.noteSignIn() }

        try question.token.checkGrant(grant.result) { declined in
            "The identity broker got a token without \(declined), which the service did not grant."
        }
        return grant
    }

    /// Stores that the account is signed in, and its names. Tokens stay with the broker.
    ///
    /// - Returns: Whether the store knows the account now.
    private func keep(_ grant: BrokerGrant, for question: BrokerExchange) -> Bool {
        let environments = access.authorities.environments(for: question.authority)
        var save = TokenSave(
            environment: environments.cache,
            environments: environments.lookup,
            realm: grant.profile.realm,
            homeAccountID: grant.profile.homeAccountID,
            requestAuthority: question.requestAuthority.url,
            resultAuthority: grant.result.authority.url,
            now: time.now
        )
        save.account = grant.profile
        save.instanceAware = app.multipleCloudsSupported
        do {
            return try store.cache.saveAccount(save, isSignIn: question.isSignIn)
        } catch {
            Log.warning("The token store could not be written; the broker's account is not kept: \(error.message)")
            return false
        }
    }

    /// Remembers a token for requests that repeat this one, in this process only.
    @concurrent func remember(_ grant: BrokerGrant, for identity: RequestIdentity) async {
        // A bound token is good for one request, and a request for claims wants a fresh token each time.
        guard identity.keyID == nil, identity.claims == nil, let counter = try? store.cache.store.changeCounter() else {
            return
        }
        let homeAccountID = grant.profile.homeAccountID
        let clientID = store.cache.clientID
        let version = try? store.cache.store.read { (store) throws(StoreError) -> AccountVersion? in
            let state = try store.accountMetadata(clientID: clientID, homeAccountID: homeAccountID)?.signInState
            return state == .signedOut ? nil : try AccountVersion(of: homeAccountID, in: store)
        }
        guard let version else { return }
        var result = grant.result
        result.source = .cache
        memory.remember(result, life: grant.life, for: identity, version: version, at: counter)
    }
}
