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
    /// The key of the form tokens.
    private let formKey = SymmetricKey(size: .bits256)

    /// The user that a request identifies.
    private struct NamedUser {
        let user: User
        /// Whether the request contains something that only an application of that user receives.
        let isProven: Bool
    }

    /// Signs the user out of the browser, notifies the applications that were used, then redirects to the application
    /// if its address is registered.
    ///
    /// With a hint, only that user is signed out. If several users are signed in and there is no hint, a page lets the
    /// user choose. A request triggered by another site requires confirmation, unless its hint is taken from a token or
    /// is an ID token.
    func respond(to exchange: Exchange, tenant segment: TenantSegment) async throws -> Response {
        _ = try directory.selector(for: segment)
        let cookies = SessionCookies(exchange)
        let sessions = try await store.sessions(cookies: cookies.all, now: exchange.now)
        var leaving = try await named(exchange, sessions: sessions)
        if let typed = exchange.form["csrf"] {
            guard Secret(typed) == formToken(for: cookies) else { throw EntraError.formExpired }
            if let name = exchange.form["account"], let user = try await store.user(named: name) {
                leaving = NamedUser(user: user, isProven: true)
            }
        } else {
            // A form of another site is redirected to an address with its parameters, where the user has to confirm.
            guard exchange.method != .post || !exchange.isFromOtherSite else { return moved(exchange) }
            let mustConfirm = exchange.isFromOtherSite && leaving?.isProven != true && !sessions.isEmpty
            if mustConfirm || (leaving == nil && sessions.count > 1) {
                return try await question(exchange, cookies: cookies, sessions: leaving == nil ? sessions : [])
            }
        }
        // The cookies are removed, too, if no other user is signed in, or if the request identifies no user.
        let isAlone = sessions.allSatisfy { $0.userID == leaving?.user.id }
        let visits = try await store.removeSessions(cookies: cookies.all, userID: leaving?.user.id)
        var response = end(exchange, frames: frames(visits))
        if leaving == nil || isAlone { SessionCookies.clear(on: &response, of: directory) }
        return response
    }

    // MARK: Choosing the user

    /// The user of `logout_hint`, or of `id_token_hint` if that user is signed in.
    private func named(_ exchange: Exchange, sessions: [BrowserSession]) async throws -> NamedUser? {
        if let hint = exchange.parameters["logout_hint"] {
            let proven = keys.hints.userName(in: hint)
            guard let user = try await store.user(named: proven ?? hint) else { return nil }
            return NamedUser(user: user, isProven: proven != nil)
        }
        // OpenID Connect RP-Initiated Logout 1.0 §2. An expired ID token is accepted here.
        guard let hint = exchange.parameters["id_token_hint"], let claims = await keys.claims(of: hint),
            let tenantID = claims["tid"]?.string, let clientID = claims["aud"]?.string
        else { return nil }
        let session = sessions.first { session in
            let subject = PairwiseSubject(userID: session.userID, tenantID: tenantID, clientID: clientID)
            return claims["sub"]?.string == subject.text
        }
        guard let session, let user = try await store.user(id: session.userID) else { return nil }
        return NamedUser(user: user, isProven: true)
    }

    /// Asks for confirmation or, if several users are signed in, which one to sign out.
    private func question(
        _ exchange: Exchange,
        cookies: SessionCookies,
        sessions: [BrowserSession]
    ) async throws -> Response {
        let names = ["post_logout_redirect_uri", "state", "logout_hint"]
        let parameters = names.compactMap { name in exchange.parameters[name].map { (name, $0) } }
        var accounts: [User] = []
        for session in sessions where sessions.count > 1 {
            if let user = try await store.user(id: session.userID) { accounts.append(user) }
        }
        let token = formToken(for: cookies)
        return pages.signOut(at: exchange.path, token: token, accounts: accounts, parameters: parameters)
    }

    /// A value that only a page of this emulator, shown in this browser, can contain.
    private func formToken(for cookies: SessionCookies) -> Secret {
        let names = cookies.all.map(\.digest).joined(separator: " ")
        return Secret(Data(HMAC<SHA256>.authenticationCode(for: Data(names.utf8), using: formKey)).base64URL)
    }

    private func moved(_ exchange: Exchange) -> Response {
        let parameters = FormValues.encode(exchange.form.pairs.map { ($0.name, $0.value) })
        return .redirect(to: "\(exchange.base)\(exchange.path)?\(parameters)", after: .post)
    }

    // MARK: Front-channel logout

    /// The addresses of the applications to notify (OpenID Connect Front-Channel Logout 1.0 §2).
    private func frames(_ visits: [BrowserSession.Visit]) -> [String] {
        visits.compactMap { visit in
            guard let address = directory.application(visit.clientID)?.frontChannelLogoutURI else { return nil }
            let target = RedirectTarget(redirectURI: address, mode: .query, state: nil)
            return target.location(with: [("iss", visit.issuer), ("sid", visit.sid)])
        }
    }

    private func end(_ exchange: Exchange, frames: [String]) -> Response {
        guard let target = destination(exchange) else { return pages.signedOut(telling: frames) }
        guard frames.isEmpty else { return pages.signedOut(telling: frames, then: target) }
        return .redirect(to: target, after: exchange.method)
    }

    private func destination(_ exchange: Exchange) -> String? {
        guard let text = exchange.parameters["post_logout_redirect_uri"], let uri = RedirectAddress(text),
            directory.applications.contains(where: { $0.allows(uri) })
        else { return nil }
        let target = RedirectTarget(redirectURI: uri, mode: .query, state: nil)
        return exchange.parameters["state"].map { target.location(with: [("state", $0)]) } ?? uri.text
    }
}
