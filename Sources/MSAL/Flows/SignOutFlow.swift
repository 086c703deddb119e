// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Ends what a sign-in began: in the store, in the identity broker and in the browser. A caller asks for the parts in this
/// order.
package struct SignOutFlow: Sendable {
    let clientID: String
    let authorityRules: ClientConfiguration.AuthorityRules
    let browser: ClientConfiguration.Browser
    let authorities: AuthorityResolver
    let store: ClientStore
    let memory: ClientMemory
    let access: BrokerAccess
    let session: CurrentSession
    let agent: any AuthorizationAgent
    let random: @Sendable (_ count: Int) -> [UInt8]

    /// Removes this client's tokens of an account; without tokens it does nothing.
    ///
    /// - Throws: `.store` if the store cannot be written; nothing was removed then.
    /// - SeeAlso: docs/reference/Protocol.md#sign-out.
    package func remove(_ account: AccountReference) throws(AuthError) {
        guard let homeAccountID = account.homeAccountID else { return }
        defer { memory.forget(homeAccountID: homeAccountID) }
        try store.run { (cache) throws(StoreError) in
            try cache.signOut(homeAccountID: homeAccountID, wipeAccount: false)
        }
    }

    /// Removes the account's tokens from the store, and everything else that the request names.
    ///
    /// It does not run on the caller's actor, because the disk may be slow (docs/reference/Store.md#main-thread).
    ///
    /// - Throws: `.store`.
    @concurrent package func signOutLocally(_ request: SignOutRequest) async throws(AuthError) {
        do {
            try await store.prepare(for: .reading)
            defer { forget(request) }
            try store.run { (cache) throws(StoreError) in
                if let homeAccountID = request.account.homeAccountID {
                    try cache.signOut(homeAccountID: homeAccountID, wipeAccount: request.wipesAccount)
                }
                if request.wipesEverything { try cache.wipe() }
            }
        } catch {
            throw error.correlated(request.correlationID)
        }
    }

    private func forget(_ request: SignOutRequest) {
        if request.wipesEverything { return memory.forget() }
        if let homeAccountID = request.account.homeAccountID { memory.forget(homeAccountID: homeAccountID) }
    }

    /// Ends the browser's session, if the request asks for that.
    ///
    /// - Throws: The errors of an interactive sign-in. A closed browser counts as success, unless the task is canceled.
    /// - SeeAlso: OpenID Connect RP-Initiated Logout.
    package func inBrowser(_ request: SignOutRequest) async throws(AuthError) {
        guard request.signsOutFromBrowser else { return }
        do {
            try await visitSignOutPage(request)
        } catch {
            throw error.correlated(request.correlationID)
        }
    }

    private func visitSignOutPage(_ request: SignOutRequest) async throws(AuthError) {
        let resolved = try await authorities.resolve(
            authorityRules.configured,
            by: authorityRules,
            correlationID: request.correlationID
        )
        guard let endpoint = resolved.endSessionEndpoint else {
            request.onOutcome?(.notOffered)
            throw AuthError(.unexpected, message: "The authority offers no sign-out page; the tokens here are removed.")
        }
        let state = Base64URL.encode(random(16))
        var visit = try browser.visit(expecting: state, in: request.window) { redirectURI in
            var query = FormBody()
            query.set(.postLogoutRedirectURI, to: redirectURI)
            query.set(.state, to: state)
            // OpenID Connect RP-Initiated Logout §2. The service then does not ask which account is meant.
            if let hint = request.logoutHint { query.set(.logoutHint, to: hint) }
            if let issuerID = resolved.authority.issuerID {
                query.set(.clientID, to: clientID)
                if request.account.homeTenantID == issuerID { query.set(.idTokenHint, to: request.idToken?.exposed) }
            }
            query.merge(
                AuthorizationRequest.page(
                    of: resolved.authority,
                    correlationID: request.correlationID,
                    homeAccountID: request.account.homeAccountID
                )
            )
            query.merge(request.extraQueryParameters)
            return query.link(to: endpoint)
        }
        visit.responseMode = .query
        visit.purpose = .signOut
        try browser.checkPage(of: visit)
        // Not within the call: an argument of an optional call is not evaluated if the callee is `nil`.
        let end = try await outcome(of: visit)
        request.onOutcome?(end)
    }

    /// Makes the visit. A page that the user closes is a success; a program that canceled the task gets the error.
    private func outcome(of visit: AuthorizationVisit) async throws(AuthError) -> SignOutOutcome {
        let agent = agent
        let visited = try await session.run { () async throws(AuthError) in
            await Result { () async throws(AgentError) in try await agent.authorize(visit) }
        }
        switch visited {
        case .success(let returned):
            do throws(RedirectResponse.Failure) {
                try RedirectResponse.check(state: returned.parameters["state"], expecting: visit.expectedState)
            } catch {
                throw AuthError(error)
            }
            return .ended
        case .failure(let error):
            switch error.kind {
            case .timedOut where !Task.isCancelled: return .timedOut
            case .canceled where !Task.isCancelled, .declined where !Task.isCancelled: return .closed
            case .timedOut, .canceled, .declined, .portInUse, .noBrowser, .startedTwice, .invalidResponse,
                .listenerFailed:
                throw AuthError(error)
            }
        }
    }

    /// The part of a sign-out that the broker has: it forgets the account for this client. On a shared device that signs
    /// the user out of the device, for all apps.
    ///
    /// Nothing is asked where no broker may be used. An account that the broker does not know is not an error.
    ///
    /// - Throws: What the broker reports, on a shared device: the user may be signed in there still. Elsewhere a failure
    ///   is logged.
    package func onDevice(_ request: SignOutRequest) async throws(AuthError) {
        guard let homeAccountID = request.account.homeAccountID,
            await access.isAvailable(for: authorityRules.configured)
        else { return }
        do throws(BrokerFailure) {
            let listed = try await access.listedAccounts(
                for: authorityRules.configured,
                correlationID: request.correlationID
            )
            guard let account = listed.account(homeAccountID) else { return }
            try await access.broker.remove(account, clientID: clientID, correlationID: request.correlationID)
        } catch {
            guard await isDeviceShared(request.correlationID) else {
                Log.warning("The identity broker did not forget the account: \(error.message)")
                return
            }
            throw AuthError(error).correlated(request.correlationID)
        }
        access.known.forget(homeAccountID: homeAccountID)
        guard await isDeviceShared(request.correlationID) else { return }
        await noteSignOutOfDevice(homeAccountID)
    }

    private func isDeviceShared(_ correlationID: UUID) async -> Bool {
        do throws(BrokerFailure) {
            return try await access.broker.information(correlationID: correlationID).device?.isShared ?? false
        } catch {
            Log.info("Whether the device is shared is not known: \(error.message)")
            return false
        }
    }

    /// Forgets that the user signed out of this app: the device signed the user out, and the next user who signs in to
    /// the device is also signed in here.
    @concurrent private func noteSignOutOfDevice(_ homeAccountID: String) async {
        do {
            try store.cache.forgetSignIn(homeAccountID: homeAccountID)
        } catch {
            Log.warning("The sign-out of the device could not be noted: \(error.message)")
        }
    }
}
