// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// `GET` or `POST /{tenant}/oauth2/v2.0/logout`.
struct LogoutEndpoint: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let keys: SigningKeys
    let pages: Pages
    /// Makes the tokens of the page that asks.
    private let formKey = SymmetricKey(size: .bits256)

    /// Signs the browser out, then goes back to the application if its address is registered.
    ///
    /// With `logout_hint` only that person leaves. A request that another site made the browser send is asked about
    /// first, unless its `id_token_hint` fits.
    func respond(to exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        _ = try directory.selector(for: segment)
        let cookies = SessionCookies(exchange)
        if let typed = exchange.form["csrf"] {
            guard Secret(typed) == formToken(for: cookies) else { throw EntraError.formExpired }
        } else if exchange.isFromOtherSite {
            // The form of another site counts as the address alone, which the person is asked about.
            guard exchange.method != .post else { return moved(exchange) }
            if try await mustAsk(exchange, cookies: cookies) { return question(exchange, cookies: cookies) }
        }
        let hinted =
            if let hint = exchange.parameters["logout_hint"] { try await store.user(named: hint) } else {
                User?.none
            }
        try await store.removeSessions(cookies: cookies.all, userID: hinted?.id)
        var response = destination(exchange)
        if hinted == nil { SessionCookies.clear(on: &response, of: directory) }
        return response
    }

    // MARK: The question

    /// Whether somebody is signed in whom the request does not name by an id token of this emulator.
    ///
    /// OpenID Connect RP-Initiated Logout 1.0 §2: the question is needed if there is no hint, or if the hint is not
    /// about somebody who is signed in. An id token that has expired is good for this.
    private func mustAsk(_ exchange: Exchange, cookies: SessionCookies) async throws -> Bool {
        let sessions = try await store.sessions(cookies: cookies.all, now: exchange.now)
        guard !sessions.isEmpty else { return false }
        guard let hint = exchange.parameters["id_token_hint"], let claims = await keys.claims(of: hint),
            let tenantID = claims["tid"]?.string, let clientID = claims["aud"]?.string
        else { return true }
        return !sessions.contains { session in
            let subject = PairwiseSubject(userID: session.userID, tenantID: tenantID, clientID: clientID)
            return claims["sub"]?.string == subject.text
        }
    }

    private func question(_ exchange: Exchange, cookies: SessionCookies) -> Response {
        let names = ["post_logout_redirect_uri", "state", "logout_hint"]
        let parameters = names.compactMap { name in exchange.parameters[name].map { (name, $0) } }
        return pages.signOut(at: exchange.path, token: formToken(for: cookies), parameters: parameters)
    }

    /// A value that only a page of this emulator, shown in this browser, can know.
    private func formToken(for cookies: SessionCookies) -> Secret {
        let names = cookies.all.map(\.digest).joined(separator: " ")
        return Secret(Data(HMAC<SHA256>.authenticationCode(for: Data(names.utf8), using: formKey)).base64URL)
    }

    private func moved(_ exchange: Exchange) -> Response {
        let parameters = FormValues.encode(exchange.form.pairs.map { ($0.name, $0.value) })
        return .redirect(to: "\(exchange.base)\(exchange.path)?\(parameters)", after: .post)
    }

    // MARK: The end

    private func destination(_ exchange: Exchange) -> Response {
        guard let text = exchange.parameters["post_logout_redirect_uri"], let uri = RedirectAddress(text),
            directory.applications.contains(where: { $0.allows(uri) })
        else { return pages.signedOut() }
        let target = RedirectTarget(redirectURI: uri, mode: .query, state: nil)
        guard let state = exchange.parameters["state"] else { return .redirect(to: uri.text, after: exchange.method) }
        return .redirect(to: target.location(with: [("state", state)]), after: exchange.method)
    }
}
