// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALServer

/// An issuer of tokens of the usual size, all signed with one key.
struct Issuer: Sendable {
    static let keyID = "benchmark-key"

    let audience: String
    private let key: _RSA.Signing.PrivateKey
    private let publicKey: _RSA.Signing.PublicKey

    init(audience: String) throws {
        self.audience = audience
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        publicKey = key.publicKey
    }

    var publicPEM: String { publicKey.pemRepresentation }

    /// Writes the key set that the endpoint serves. It has six keys, as many as the service's.
    func publish(in folder: String) throws {
        let others = try (1..<6).map { ("other-\($0)", try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey) }
        let keys = try ([(Self.keyID, publicKey)] + others).map { id, key in
            let numbers = try key.getKeyPrimitives()
            return [
                "kty": "RSA", "use": "sig", "kid": id, "n": Self.encoded(numbers.modulus),
                "e": Self.encoded(numbers.publicExponent),
            ]
        }
        try JSONEncoder().encode(["keys": keys]).write(to: URL(filePath: folder).appending(path: "keys.json"))
    }

    /// A prepared validator of this issuer's tokens.
    func validator(caching maximum: Int) async throws -> MSALTokenValidator {
        try await Self.validator(of: audience, caching: maximum)
    }

    /// A prepared validator of the tokens of an issuer in another process.
    static func validator(of audience: String, caching maximum: Int) async throws -> MSALTokenValidator {
        var configuration = MSALTokenValidatorConfiguration(
            clientId: audience,
            authority: .tenant(Content.tenant, host: Content.host)
        )
        configuration.maximumRememberedTokens = maximum
        configuration.caFile = ProcessInfo.processInfo.environment["BENCHMARK_CA"].map { URL(filePath: $0) }
        configuration.logger.logLevel = .critical
        let validator = try MSALTokenValidator(configuration)
        try await validator.prepare()
        return validator
    }

    /// How often the keys were fetched from the endpoint.
    func requests(in folder: String) throws -> Int {
        try Data(contentsOf: URL(filePath: folder).appending(path: "key-requests")).count
    }

    /// The `Authorization` header of a request with a valid token.
    func header(_ number: Int) throws -> [String] { ["Bearer \(try token(number))"] }

    /// A token of a user, 1.6 KB long.
    func token(
        _ number: Int,
        header: String = #"{"typ":"JWT","alg":"RS256","kid":"benchmark-key"}"#,
        issuer: String? = nil,
        tenant: String = Content.tenant,
        isSigned: Bool = true
    ) throws -> String {
        let end = Int(Date().timeIntervalSince1970) + 86_400
        let digits = String(number)
        let user = "33333333-3333-4333-8333-" + String(repeating: "0", count: 12 - digits.count) + digits
        let name = issuer ?? "https://\(Content.host)/\(Content.tenant)/v2.0"
        let claims = """
            {"ver":"2.0","aud":"\(audience)","azp":"\(Content.clientID)","oid":"\(user)","tid":"\(tenant)",\
            "iss":"\(name)","sub":"s\(number)","scp":"Orders.Read","name":"User \(number)",\
            "preferred_username":"user-\(number)@contoso.example",\
            "exp":\(end),"iat":\(end - 90_000),"nbf":\(end - 90_000),"rh":"\(String(repeating: "h", count: 420))"}
            """
        let signed = "\(Self.encoded(Data(header.utf8))).\(Self.encoded(Data(claims.utf8)))"
        guard isSigned else { return "\(signed).\(String(repeating: "c2ln", count: 85))" }
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Self.encoded(signature.rawRepresentation))"
    }

    /// Hashes a token and verifies its signature. The token is split into parts beforehand.
    func verification(of token: String) throws -> () -> Bool {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Self.decoded(parts[2]) else { throw CocoaError(.coderInvalidValue) }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        let signature = _RSA.Signing.RSASignature(rawRepresentation: bytes)
        return { publicKey.isValidSignature(signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5) }
    }

    private static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decoded(_ text: Substring) -> Data? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
