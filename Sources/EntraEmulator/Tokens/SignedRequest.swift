// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// The content of an `Authorization: PoP` header: a signed text about the request, which contains the access token.
///
/// Query, header fields, and body are not signed (draft-ietf-oauth-signed-http-request).
struct SignedRequest: Sendable {
    /// `at`: the access token, not yet validated.
    let accessToken: Secret
    /// The whole text. A signature has only one encoding, so the text identifies a request.
    let text: Secret
    private let token: SignedToken

    /// The reason why a signed request is rejected.
    struct Fault: Error, Sendable {
        /// A sentence for the challenge.
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    /// The tolerated difference between `ts` and the current time, in seconds.
    static let tolerance = 300

    /// Parses a JSON Web Signature in compact form, RFC 7515 §7.1.
    init(_ text: Secret) throws(Fault) {
        guard let token = SignedToken(text), let accessToken = token.claims["at"]?.string else {
            throw Fault("The signed HTTP request is malformed.")
        }
        self.text = text
        self.token = token
        self.accessToken = Secret(accessToken)
    }

    /// Checks that the holder of the key has just signed this very request.
    func check(_ exchange: Exchange, keyID: String) throws(Fault) {
        let (header, payload) = (token.header, token.claims)
        guard let key = ConfirmationKey(payload["cnf"]?["jwk"]), key.thumbprint == keyID,
            header["kid"] == nil || header["kid"] == .string(keyID)
        else { throw Fault("The request is not signed with the key that the token is bound to.") }
        guard header["alg"] == "RS256", token.isSigned(by: key.key) else {
            throw Fault("The signature of the request is invalid.")
        }
        guard payload["m"] == .string(exchange.method.rawValue) else {
            throw Fault("The request was signed for another method.")
        }
        guard payload["u"]?.string.map({ "https://" + $0.lowercased() }) == exchange.base else {
            throw Fault("The request was signed for another host.")
        }
        guard payload["p"] == .string(exchange.path) else {
            throw Fault("The request was signed for another path.")
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let time = payload["ts"]?.int, (now - Self.tolerance...now + Self.tolerance).contains(time) else {
            throw Fault("The signature of the request is too old or in the future.")
        }
        guard payload["nonce"]?.string?.isEmpty == false else {
            throw Fault("The signed HTTP request has no nonce.")
        }
    }
}
