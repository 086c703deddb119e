// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Signing in without typing: by one click, by a hint, or because a test has requested it.
extension SignIn {
    /// The users that the page lists: the first ones in the directory who may sign in here.
    ///
    /// `term`: The term of a search.
    func people(for flow: SignInFlow, matching term: String? = nil) -> Pages.Accounts {
        guard flow.listsPeople else { return .init([]) }
        // A page without the list is better than no page.
        let first = (try? store.users(after: "", limit: term == nil ? 100 : .max)) ?? []
        let fitting = first.filter { user in
            user.isEnabled && (user.customer?.credential ?? .password) == .password
                && directory.issuingTenant(for: user, in: flow.request.selector) != nil
        }
        return .init(fitting, matching: term)
    }

    /// Signs in the user whose button was pressed. Policies may still have requirements.
    func clicked(_ name: String, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard shortcuts.areFor(exchange), let user = try await store.user(named: name), user.isEnabled else {
            return show(.userName, in: &flow, problem: .unknownUser)
        }
        guard !user.isLocked else { return show(.userName, in: &flow, problem: .lockedUser) }
        RequestNotes.note(remark: "'\(user.userPrincipalName)' was signed in by one click on the page")
        return try await enter(user, in: &flow, exchange: exchange)
    }

    /// Responds to a request for which a test has planned a sign-in, or whose hint is sufficient; `nil` for any other.
    func withoutPages(_ flow: inout SignInFlow, exchange: Exchange) async throws -> Response? {
        let client = flow.request.client.clientID
        if let id = shortcuts.planned.take(for: client), let user = try await store.user(id: id) {
            RequestNotes.note(remark: "'\(user.userPrincipalName)' was signed in as planned by the control API")
            return try await answer(user, in: &flow, exchange: exchange)
        }
        guard shortcuts.takesHints(of: exchange), let hint = flow.request.pageOptions.loginHint,
            flow.request.pageOptions.prompt != .selectAccount, let user = try await store.user(named: hint),
            user.isEnabled
        else { return nil }
        RequestNotes.note(remark: "'\(user.userPrincipalName)' was signed in by the login hint")
        return try await answer(user, in: &flow, exchange: exchange)
    }

    /// Signs a user in who has a second factor and consents to everything.
    private func answer(_ user: User, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        let scopes = flow.requestedScopes
        let isForAdministrators = scopes.permissions.contains { isAdministratorOnly($0, in: flow.request) }
        if user.isAdministrator || !isForAdministrators {
            try await store.recordConsent(userID: user.id, clientID: flow.request.client.clientID, scopes: scopes)
            flow.hasConsented = true
        }
        return try await enter(user, in: &flow, hasSecondFactor: true, exchange: exchange)
    }

    /// Signs a user in to this browser until it is closed.
    private func enter(
        _ user: User,
        in flow: inout SignInFlow,
        hasSecondFactor: Bool = false,
        exchange: Exchange
    ) async throws -> Response {
        let cookies = try await renewCookies(in: &flow, exchange: exchange)
        flow.identity = .init(userID: user.id, authenticatedAt: exchange.now, hasSecondFactor: hasSecondFactor)
        let session = BrowserSession(
            userID: user.id,
            authenticatedAt: exchange.now,
            expiresAt: exchange.now.addingTimeInterval(SessionCookies.browserLifetime),
            hasSecondFactor: hasSecondFactor
        )
        try await store.save(session, cookie: flow.browser)
        var response = try await proceed(&flow, exchange: exchange)
        cookies.set(on: &response, of: directory)
        return response
    }
}
