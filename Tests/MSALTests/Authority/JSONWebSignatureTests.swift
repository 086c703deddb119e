// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSAL
import Testing

struct JSONWebSignatureTests {
    private static let claims = #"{"sub":"megan","aud":"client"}"#

    @Test(arguments: ["RS256", "PS256", "ES256"])
    func `a signature by the named key is valid`(_ algorithm: String) throws {
        let signer = try Signer(algorithm)
        let token = try signer.token(Self.claims)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .valid)
        #expect(JSONWebSignature.keyID(ofCompact: token) == "key-1")
    }

    @Test(arguments: ["RS256", "PS256", "ES256"])
    func `a changed payload, header or signature is invalid`(_ algorithm: String) throws {
        let signer = try Signer(algorithm)
        let parts = try signer.token(Self.claims).split(separator: ".").map(String.init)
        let header = Base64URL.encode(Data(#"{"alg":"\#(algorithm)","kid":"key-1","typ":"x"}"#.utf8))
        let payload = Base64URL.encode(Data(#"{"sub":"alex","aud":"client"}"#.utf8))
        var signature = try #require(Base64URL.decode(parts[2]))
        signature[signature.startIndex] ^= 1
        let tampered = [
            [parts[0], payload, parts[2]],
            [header, parts[1], parts[2]],
            [parts[0], parts[1], Base64URL.encode(signature)],
            [parts[0], parts[1], Base64URL.encode(Data(repeating: 0, count: 64))],
            [parts[0], parts[1], ""],
        ]

        for parts in tampered {
            let verdict = JSONWebSignature.verify(compact: parts.joined(separator: "."), with: [try signer.key])
            #expect(verdict == .invalidSignature)
        }
    }

    @Test(arguments: ["RS256", "PS256", "ES256"])
    func `another key of the same name does not verify`(_ algorithm: String) throws {
        let token = try Signer(algorithm).token(Self.claims)

        #expect(JSONWebSignature.verify(compact: token, with: [try Signer(algorithm).key]) == .invalidSignature)
    }

    @Test func `a token that names an unknown key finds none`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256","kid":"key-2"}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .noKey)
        #expect(JSONWebSignature.verify(compact: token, with: []) == .noKey)
    }

    @Test func `a token without key name is tried with every suitable key`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256"}"#)
        let keys = [try Signer("RS256").key, try Signer("ES256").key, try signer.key]

        #expect(JSONWebSignature.verify(compact: token, with: keys) == .valid)
    }

    @Test(arguments: ["none", "None", "HS256", "HS512", "RS512", "ES384", ""])
    func `other algorithms are refused before any key is looked at`(_ algorithm: String) throws {
        let signer = try Signer("RS256")
        let header = Base64URL.encode(Data(#"{"alg":"\#(algorithm)","kid":"key-1"}"#.utf8))
        let input = "\(header).\(Base64URL.encode(Data(Self.claims.utf8)))"
        // The classic confusion: the public modulus as a symmetric secret.
        let secret = SymmetricKey(data: Data(try #require(try signer.key.n).utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)

        for signature in ["", Base64URL.encode(Data(code))] {
            let verdict = JSONWebSignature.verify(compact: "\(input).\(signature)", with: [try signer.key])
            #expect(verdict == .unsupportedAlgorithm(algorithm))
        }
    }

    @Test func `a key serves only its own type, algorithm and use`() throws {
        let signer = try Signer("RS256")
        let token = try signer.token(Self.claims)
        var forEncryption = try signer.key
        forEncryption.use = "enc"
        var forPSS = try signer.key
        forPSS.alg = "PS256"
        var ofOtherType = try signer.key
        ofOtherType.kty = "oct"

        for key in [forEncryption, forPSS, ofOtherType] {
            #expect(JSONWebSignature.verify(compact: token, with: [key]) == .noKey)
        }
    }

    @Test func `a PKCS1 signature does not pass as a PSS one`() throws {
        let signer = try Signer("RS256")
        let token = try signer.token(Self.claims, header: #"{"alg":"PS256","kid":"key-1"}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .invalidSignature)
    }

    @Test func `an RSA key below 2048 bits verifies nothing`() throws {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        let signer = Signer(.rsa(key, .insecurePKCS1v1_5), algorithm: "RS256")

        let verdict = JSONWebSignature.verify(compact: try signer.token(Self.claims), with: [try signer.key])

        #expect(verdict == .invalidSignature)
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c", "e30.e30.e30", "e30.e30.e30.e30", "!!.e30.AA"])
    func `what is no token is malformed`(_ text: String) {
        #expect(JSONWebSignature.verify(compact: text, with: []) == .malformed)
    }

    @Test func `a critical header extension is refused`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256","kid":"key-1","crit":["b64"],"b64":false}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .malformed)
    }

    @Test func `a key set skips what is no key`() throws {
        let text = #"{"keys":[1,{},{"kty":"EC","kid":"a"},{"kty":"RSA","n":"AQAB","e":"AQAB","unknown":true}]}"#

        let keys = try JSONWebKey.set(parsing: Data(text.utf8))

        #expect(keys.map(\.kty) == ["EC", "RSA"])
        #expect(throws: AuthorityError.self) { try JSONWebKey.set(parsing: Data("{}".utf8)) }
    }
}

/// Signs tokens with a key generated for it.
private struct Signer {
    enum PrivateKey {
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
        case elliptic(P256.Signing.PrivateKey)
    }

    let algorithm: String
    let privateKey: PrivateKey

    init(_ privateKey: PrivateKey, algorithm: String) {
        self.privateKey = privateKey
        self.algorithm = algorithm
    }

    init(_ algorithm: String) throws {
        let privateKey: PrivateKey =
            switch algorithm {
            case "ES256": .elliptic(P256.Signing.PrivateKey())
            case "PS256": .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048), .PSS)
            default: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048), .insecurePKCS1v1_5)
            }
        self.init(privateKey, algorithm: algorithm)
    }

    /// The public key, named `key-1`.
    var key: JSONWebKey {
        get throws {
            switch privateKey {
            case .rsa(let key, _):
                let primitives = try key.publicKey.getKeyPrimitives()
                return JSONWebKey(
                    kty: "RSA",
                    kid: "key-1",
                    n: Base64URL.encode(primitives.modulus),
                    e: Base64URL.encode(primitives.publicExponent)
                )
            case .elliptic(let key):
                let point = key.publicKey.rawRepresentation
                return JSONWebKey(
                    kty: "EC",
                    kid: "key-1",
                    use: "sig",
                    crv: "P-256",
                    x: Base64URL.encode(point.prefix(32)),
                    y: Base64URL.encode(point.suffix(32))
                )
            }
        }
    }

    func token(_ claims: String, header: String? = nil) throws -> String {
        let header = header ?? #"{"alg":"\#(algorithm)","kid":"key-1"}"#
        let input = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(Data(claims.utf8)))"
        let signature: Data =
            switch privateKey {
            case .rsa(let key, let padding):
                try key.signature(for: SHA256.hash(data: Data(input.utf8)), padding: padding).rawRepresentation
            case .elliptic(let key):
                try key.signature(for: Data(input.utf8)).rawRepresentation
            }
        return "\(input).\(Base64URL.encode(signature))"
    }
}
