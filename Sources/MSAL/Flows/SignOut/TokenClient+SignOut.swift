// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

extension TokenClient {
    /// Removes this client's tokens of an account; without tokens it does nothing.
    ///
    /// - Throws: `.store` if the store cannot be written; nothing was removed then.
    /// - SeeAlso: docs/reference/Protocol.md#sign-out.
    package func remove(_ account: AccountReference) throws(AuthError) {
        guard let homeAccountID = account.homeAccountID else { return }
        defer { memory.forget(homeAccountID: homeAccountID) }
        try stored { () throws(StoreError) in try cache.signOut(homeAccountID: homeAccountID, wipeAccount: false) }
    }

    /// Signs an account out: here, and in the browser if asked for. Tokens are gone even if the browser part fails.
    ///
    /// - Throws: As ``signOutHere(_:)`` and ``signOutFromBrowser(_:)``.
    /// - SeeAlso: docs/reference/Protocol.md#sign-out and #browser-sign-out.
    package func signOut(_ request: SignOutRequest) async throws(AuthError) {
        try await signOutHere(request)
        try await signOutFromBrowser(request)
    }

    /// The first half of a sign-out: removes the account's tokens from the store, and everything else that the request
    /// names.
    ///
    /// Not on the caller's actor: the disk may take its time (docs/reference/Store.md#main-thread).
    ///
    /// - Throws: `.store`.
    @concurrent package func signOutHere(_ request: SignOutRequest) async throws(AuthError) {
        do {
            try await prepareStore(for: .reading)
            defer { forget(request) }
            try stored { () throws(StoreError) in
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

    /// The second half of a sign-out: ends the browser's session, if the request asks for that.
    ///
    /// - Throws: The errors of ``acquireInteractively(_:)``. A closed browser counts as success, unless the task is
    ///   cancelled.
    /// - SeeAlso: OpenID Connect RP-Initiated Logout.
    package func signOutFromBrowser(_ request: SignOutRequest) async throws(AuthError) {
        guard request.signsOutFromBrowser else { return }
        do {
            try await visitSignOutPage(request)
        } catch {
            throw error.correlated(request.correlationID)
        }
    }

    private func visitSignOutPage(_ request: SignOutRequest) async throws(AuthError) {
        let resolved = try await resolve(configuration.authority, correlationID: request.correlationID)
        guard let endpoint = resolved.endSessionEndpoint else {
            throw AuthError(.unexpected, message: "The authority offers no sign-out page; the tokens here are removed.")
        }
        let state = Base64URL.encode(platform.random(16))
        let configuration = configuration
        var visit = AuthorizationVisit(
            redirect: try configuration.redirectURI.visit(),
            expectedState: state,
            responseMode: .query,
            timeout: configuration.interactionTimeout,
            purpose: .signOut,
            browserCommand: configuration.browserCommand,
            parentWindow: request.parentWindow,
            onOpen: request.onOpen,
            onLaunch: request.onLaunch,
            url: { redirectURI in
                var query = FormBody()
                query.set(.postLogoutRedirectURI, to: redirectURI)
                query.set(.state, to: state)
                query.merge(
                    AuthorizationRequest.page(
                        correlationID: request.correlationID,
                        homeAccountID: request.account.homeAccountID
                    )
                )
                query.merge(request.extraQueryParameters)
                return query.link(to: endpoint)
            }
        )
        visit.pageTexts = request.pageTexts
        visit.listenAddress = configuration.listenAddress
        try checkPage(of: visit)
        do throws(AuthError) {
            let returned = try await session.run(visit, with: platform.agent)
            do throws(RedirectResponse.Failure) {
                try RedirectResponse.check(state: returned.parameters["state"], expecting: state)
            } catch {
                throw AuthError(error)
            }
        } catch {
            // The user may close the page. A program that cancelled the task gets the error.
            guard case .canceled = error.kind, !Task.isCancelled else { throw error }
            request.onUnconfirmed?()
        }
    }
}
