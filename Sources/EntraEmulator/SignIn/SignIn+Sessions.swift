// Licensed under the MIT License. See LICENSE.

import Foundation

/// Who is signed in to the browser.
extension SignIn {
    /// A person with a session in this browser.
    struct SignedIn: Sendable {
        let user: User
        let session: BrowserSession

        var identity: SignInFlow.Identity {
            .init(
                userID: user.id,
                authenticatedAt: session.authenticatedAt,
                hasSecondFactor: session.hasSecondFactor ?? false
            )
        }
    }

    /// Who is signed in to this browser and may use the tenant of the request.
    func sessions(for request: AuthorizationRequest, _ exchange: Exchange) async throws -> [SignedIn] {
        var result: [SignedIn] = []
        let stored = try await platform.store.sessions(cookies: SessionCookies(exchange).all, now: exchange.now)
        for session in stored {
            guard let user = try await platform.store.user(id: session.userID), user.isEnabled,
                user.accepts(signInAt: session.authenticatedAt),
                platform.issuingTenant(for: user, in: request.selector) != nil, isMeant(user, by: request.domainHint)
            else { continue }
            result.append(SignedIn(user: user, session: session))
        }
        return result
    }

    /// Whether a domain hint leaves the person in question.
    private func isMeant(_ user: User, by hint: String?) -> Bool {
        guard let hint, let home = platform.directory.tenant(id: user.homeTenantID) else { return true }
        switch hint {
        case "consumers": return home.kind == .personal
        case "organizations": return home.kind != .personal
        default: return home.answers(to: hint)
        }
    }

    /// Whether the sign-in is new enough for the request.
    func isFresh(_ session: BrowserSession, _ request: AuthorizationRequest, _ exchange: Exchange) -> Bool {
        guard let maximumAge = request.maximumAge else { return true }
        return exchange.now.timeIntervalSince(session.authenticatedAt) <= TimeInterval(maximumAge)
    }
}
