// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The users who are signed in to the browser.
extension SignIn {
    /// A user with a session in this browser.
    struct SignedIn: Sendable {
        let user: User
        let session: BrowserSession

        var identity: SignInFlow.Identity {
            .init(
                userID: user.id,
                authenticatedAt: session.authenticatedAt,
                hasSecondFactor: session.hasSecondFactor ?? false,
                isOnManagedDevice: session.isOnManagedDevice
            )
        }
    }

    /// Sets new cookies in the browser, and a new token for the sign-in, now that a user has authenticated.
    ///
    /// A page on another port of this host may know the old values, because it planted the cookie and started a sign-in
    /// with it. The users who are signed in to the browser move to the new cookies. Of the sign-ins in progress, only
    /// this one does: a form of another one would be accepted on behalf of the user.
    func renewCookies(in flow: inout SignInFlow, exchange: Exchange) async throws -> SessionCookies {
        let browser = Secret.random()
        try await store.moveSessions(from: flow.browser, to: browser)
        flow.browser = browser
        flow.token = .random()
        guard let old = SessionCookies(exchange).persistent else {
            return SessionCookies(browser: browser, persistent: nil)
        }
        let persistent = Secret.random()
        try await store.moveSessions(from: old, to: persistent)
        flow.persistent = persistent
        return SessionCookies(browser: browser, persistent: persistent)
    }

    /// Continues with a user who has just authenticated.
    func welcome(_ user: User, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        let cookies = try await renewCookies(in: &flow, exchange: exchange)
        flow.identity = .init(userID: user.id, authenticatedAt: exchange.now)
        flow.asksToStay = true
        var response = try await proceed(&flow, exchange: exchange)
        cookies.set(on: &response, of: directory)
        return response
    }

    /// The users who are signed in to this browser and may use the tenant of the request.
    func sessions(in flow: SignInFlow, exchange: Exchange) async throws -> [SignedIn] {
        let request = flow.request
        var result: [SignedIn] = []
        // The session cookie of the flow may be newer than the one in the request, because a device has just signed in.
        let cookies = SessionCookies(browser: flow.browser, persistent: SessionCookies(exchange).persistent)
        let stored = try await store.sessions(cookies: cookies.all, now: exchange.now)
        for session in stored {
            guard let user = try await store.user(id: session.userID), user.isEnabled,
                user.accepts(signInAt: session.authenticatedAt),
                directory.issuingTenant(for: user, in: request.selector) != nil,
                isMeant(user, by: request.pageOptions.domainHint)
            else { continue }
            result.append(SignedIn(user: user, session: session))
        }
        return result
    }

    /// Whether a domain hint allows the user.
    private func isMeant(_ user: User, by hint: String?) -> Bool {
        guard let hint, let home = directory.tenant(id: user.homeTenantID) else { return true }
        switch hint {
        case "consumers": return home.kind == .personal
        case "organizations": return home.kind != .personal
        default: return home.isNamed(hint)
        }
    }

    /// Whether the sign-in is recent enough for the request.
    func isFresh(_ session: BrowserSession, for request: AuthorizeRequest, exchange: Exchange) -> Bool {
        guard let maximumAge = request.pageOptions.maximumAge else { return true }
        return exchange.now.timeIntervalSince(session.authenticatedAt) <= TimeInterval(maximumAge)
    }
}
