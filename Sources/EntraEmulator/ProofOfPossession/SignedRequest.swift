// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes

/// What an `Authorization: PoP` header carries: an access token in a signature over the request it is sent with.
///
/// Query, header fields and body are not part of what is signed (protocol 9.5, draft-ietf-oauth-signed-http-request).
struct SignedRequest: Sendable {
    /// `at`: the access token, unchecked.
    let accessToken: Secret
    /// The whole text; a signature cannot be written in two ways, so this is what is remembered of a request.
    let text: Secret
    private let header: JSONValue
    private let payload: JSONValue
    private let signature: Data
    /// What the signature is over.
    private let signedText: String

    /// How far `ts` may be from now, either way, in seconds.
    static let tolerance = 300

    /// Takes a JSON Web Signature in compact form apart, RFC 7515 §7.1.
    init(_ text: Secret) throws(ResourceGuard.Rejection) {
        let parts = text.revealed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let payload = Self.json(parts[1]),
            let signature = Data(base64URL: parts[2]), let accessToken = payload["at"]?.string
        else { throw .proof("The signed HTTP request is malformed.") }
        self.text = text
        self.header = header
        self.payload = payload
        self.signature = signature
        signedText = "\(parts[0]).\(parts[1])"
        self.accessToken = Secret(accessToken)
    }

    /// Checks that the holder of the key made the signature, just now and for this very request.
    func check(_ exchange: Exchange, key keyID: String) throws(ResourceGuard.Rejection) {
        guard let key = ProofKey(payload["cnf"]?["jwk"]), key.thumbprint == keyID,
            header["kid"] == nil || header["kid"] == .string(keyID)
        else { throw .proof("The request is not signed with the key that the token is bound to.") }
        // RFC 7515 §4.1.11: extensions that are not understood must not be passed over.
        guard header["alg"] == "RS256", header["crit"] == nil, key.verifies(signature, of: signedText) else {
            throw .proof("The signature of the request is wrong.")
        }
        guard payload["m"] == .string(exchange.method.rawValue) else {
            throw .proof("The request was signed for another method.")
        }
        guard payload["u"]?.string.map({ "https://" + $0.lowercased() }) == exchange.base else {
            throw .proof("The request was signed for another host.")
        }
        guard payload["p"] == .string(exchange.path) else {
            throw .proof("The request was signed for another path.")
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let time = payload["ts"]?.int, (now - Self.tolerance...now + Self.tolerance).contains(time) else {
            throw .proof("The signature of the request is too old, or from the future.")
        }
        guard payload["nonce"]?.string?.isEmpty == false else {
            throw .proof("The signed HTTP request has no nonce.")
        }
    }

    private static func json(_ part: Substring) -> JSONValue? {
        // Whatever is wrong with the text, the answer is the same.
        Data(base64URL: part).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
    }
}
