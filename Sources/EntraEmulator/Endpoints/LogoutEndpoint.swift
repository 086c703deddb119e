// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `GET` or `POST /{tenant}/oauth2/v2.0/logout`.
struct LogoutEndpoint: Sendable {
    let directory: Directory
    let store: EmulatorStore
    let pages: Pages

    /// Signs the browser out, then goes back to the application if its address is registered.
    ///
    /// With `logout_hint` only that person leaves.
    func respond(to exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        _ = try directory.selector(for: segment)
        let cookies = SessionCookies(exchange)
        let hinted =
            if let hint = exchange.parameters["logout_hint"] { try await store.user(named: hint) } else {
                User?.none
            }
        try await store.removeSessions(cookies: cookies.all, userID: hinted?.id)
        var response = destination(exchange)
        if hinted == nil { SessionCookies.clear(on: &response) }
        return response
    }

    private func destination(_ exchange: Exchange) -> Response {
        guard let text = exchange.parameters["post_logout_redirect_uri"], let uri = RedirectURI(text),
            directory.applications.contains(where: { $0.allows(uri) })
        else { return pages.signedOut() }
        let target = RedirectTarget(redirectURI: uri, mode: .query, state: nil)
        guard let state = exchange.parameters["state"] else { return .redirect(to: uri.text, after: exchange.method) }
        return .redirect(to: target.location(with: [("state", state)]), after: exchange.method)
    }
}
