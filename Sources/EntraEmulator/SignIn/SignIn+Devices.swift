// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Single sign-on from a device: a credential in a header or a cookie signs the user in to the browser without a page.
extension SignIn {
    /// The result of checking a credential.
    enum DeviceCredentialResult {
        /// There is no credential, or it is invalid: the usual page is shown.
        case none
        /// The user of the device is signed in to the browser with this new cookie.
        case signedIn(Secret)
        /// The credential is outdated. The address contains a nonce for a new one.
        case needsNonce(at: String)
    }

    /// Signs the user of a credential in to the browser.
    ///
    /// Modeled after the known behavior of the service: a credential without a nonce is valid for a few minutes; one
    /// that is too old, or whose nonce was already used, is sent back once with a nonce in the address. Any other one
    /// is ignored.
    func deviceCredentialResult(_ exchange: Exchange) async throws -> DeviceCredentialResult {
        let header = HTTPField.Name(DeviceSignIns.credentialName).flatMap { exchange.headers[$0] }
        guard let credential = header.map({ Secret($0) }) ?? exchange.cookie(DeviceSignIns.credentialName) else {
            return .none
        }
        switch devices.check(credential, at: exchange.now) {
        case .valid(let signIn, clientID: nil):
            return .signedIn(try await open(signIn, exchange: exchange))
        case .stale where exchange.method == .get && exchange.query[DeviceSignIns.nonceParameter] == nil:
            let nonce = (DeviceSignIns.nonceParameter, devices.nonce(at: exchange.now))
            let query = FormValues.encode(exchange.query.pairs.map { ($0.name, $0.value) } + [nonce])
            return .needsNonce(at: "\(exchange.base)\(exchange.path)?\(query)")
        case .valid, .stale, .worthless: return .none
        }
    }

    /// Sets a new cookie, as after every sign-in, with the sessions of the old one and this one.
    private func open(_ signIn: DeviceSignIn, exchange: Exchange) async throws -> Secret {
        let browser = Secret.random()
        if let old = SessionCookies(exchange).browser { try await store.moveSessions(from: old, to: browser) }
        let session = BrowserSession(
            userID: signIn.userID,
            authenticatedAt: signIn.authenticatedAt,
            expiresAt: exchange.now.addingTimeInterval(SessionCookies.browserLifetime),
            hasSecondFactor: signIn.hasSecondFactor,
            isOnManagedDevice: true
        )
        try await store.save(session, cookie: browser)
        return browser
    }
}
