// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `GET` or `POST /{tenant}/oauth2/v2.0/logout`, protocol 7.3.
struct LogoutEndpoint: Sendable {
    let platform: Platform

    /// Signs the browser out, then goes back to the application if its address is registered.
    ///
    /// With `logout_hint` only that person leaves.
    func respond(_ exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        _ = try platform.selector(segment)
        let cookies = SessionCookies(exchange)
        let hinted =
            if let hint = exchange.parameters["logout_hint"] { try await platform.store.user(named: hint) } else {
                User?.none
            }
        try await platform.store.removeSessions(cookies: cookies.all, userID: hinted?.id)
        var response = destination(exchange)
        if hinted == nil { SessionCookies.clear(on: &response) }
        return response
    }

    private func destination(_ exchange: Exchange) -> Response {
        guard let text = exchange.parameters["post_logout_redirect_uri"], let uri = RedirectURI(text),
            platform.directory.applications.contains(where: { $0.allows(uri) })
        else { return platform.pages.signedOut() }
        let reply = ApplicationReply(redirectURI: uri, mode: .query, state: nil)
        guard let state = exchange.parameters["state"] else { return .redirect(to: uri.text, after: exchange.method) }
        return .redirect(to: reply.location(with: [("state", state)]), after: exchange.method)
    }
}
