// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import EntraEmulator
import Foundation
import MSALBase

/// The key of a broker that signs requests (draft-ietf-oauth-signed-http-request).
struct ProofSigner: Sendable {
    private let key: _RSA.Signing.PrivateKey
    private let webKey: JSONValue
    /// The SHA-256 thumbprint of the key (RFC 7638).
    let keyID: String

    init() throws {
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let parts = try key.publicKey.getKeyPrimitives()
        let (exponent, modulus) = (parts.publicExponent.base64URL, parts.modulus.base64URL)
        // RFC 7638 §3.2: these members, in this order, without spaces.
        let canonical = #"{"e":"\#(exponent)","kty":"RSA","n":"\#(modulus)"}"#
        keyID = Data(SHA256.hash(data: Data(canonical.utf8))).base64URL
        webKey = ["e": .string(exponent), "kty": "RSA", "n": .string(modulus), "kid": .string(keyID)]
    }

    /// Signs a request, which contains an access token if there is one.
    func sign(_ request: ProofParameters, accessToken: String?, now: Date) throws(BrokerRefusal) -> String {
        var claims: [String: JSONValue] = [
            "ts": .int(Int(now.timeIntervalSince1970)), "m": .string(request.method), "u": .string(request.host),
            "p": .string(request.path), "nonce": .string(request.nonce ?? UUID().uuidString.lowercased()),
            "cnf": ["jwk": webKey],
        ]
        claims["at"] = accessToken.map { .string($0) }
        claims["client_claims"] = request.clientClaims.map { .string($0) }
        let header: JSONValue = ["alg": "RS256", "kid": .string(keyID), "typ": "pop"]
        let parts = [header, .object(claims)].map { Data($0.text.utf8).base64URL }
        let text = parts.joined(separator: ".")
        do {
            let digest = SHA256.hash(data: Data(text.utf8))
            let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
            return "\(text).\(signature.rawRepresentation.base64URL)"
        } catch {
            throw BrokerRefusal(.unexpected, context: "The request could not be signed.")
        }
    }
}
