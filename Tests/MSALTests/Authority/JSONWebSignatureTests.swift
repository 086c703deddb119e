// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSAL
import Testing

@testable import MSALBase
@testable import MSALCore

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
    func `another key with the same name does not verify`(_ algorithm: String) throws {
        let token = try Signer(algorithm).token(Self.claims)
        let other = try Signer(algorithm, key: "stranger").key

        #expect(JSONWebSignature.verify(compact: token, with: [other]) == .invalidSignature)
    }

    @Test func `a token that names an unknown key matches no key`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256","kid":"key-2"}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .noKey)
        #expect(JSONWebSignature.verify(compact: token, with: []) == .noKey)
    }

    @Test func `a token without a key name is tried with every suitable key`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256"}"#)
        let keys = [try Signer("RS256").key, try Signer("ES256").key, try signer.key]

        #expect(JSONWebSignature.verify(compact: token, with: keys) == .valid)
    }

    @Test(arguments: ["none", "None", "HS256", "HS512", "RS512", "ES384", ""])
    func `other algorithms are rejected before any key is tried`(_ algorithm: String) throws {
        let signer = try Signer("RS256")
        let header = Base64URL.encode(Data(#"{"alg":"\#(algorithm)","kid":"key-1"}"#.utf8))
        let input = "\(header).\(Base64URL.encode(Data(Self.claims.utf8)))"
        // The classic confusion: the public modulus used as a symmetric secret.
        let secret = SymmetricKey(data: Data(try #require(try signer.members().object?["n"]?.string).utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)

        for signature in ["", Base64URL.encode(Data(code))] {
            let verdict = JSONWebSignature.verify(compact: "\(input).\(signature)", with: [try signer.key])
            #expect(verdict == .unsupportedAlgorithm(algorithm))
        }
    }

    @Test(
        arguments: [
            ["use": .string("enc")], ["use": .string("SIG")], ["use": .integer(1)], ["kty": .string("oct")],
            ["kty": .string("rsa")], ["kty": .null], ["alg": .string("PS256")], ["alg": .string("RSA-OAEP")],
            ["alg": .array([.string("RS256")])], ["key_ops": .array([.string("encrypt"), .string("wrapKey")])],
            ["key_ops": .array([])], ["key_ops": .string("verify")], ["kid": .string("key-2")], ["kid": .null],
        ] as [[String: JSONValue]]
    )
    func `a key for another purpose, type, algorithm or name is not used`(_ changes: [String: JSONValue]) throws {
        let signer = try Signer("RS256")
        let token = try signer.token(Self.claims)

        let keys = [try signer.members(changes)].compactMap(JSONWebKey.init)

        #expect(JSONWebSignature.verify(compact: token, with: keys) == .noKey)
    }

    @Test(
        arguments: [
            ["use": .string("sig"), "alg": .string("RS256")], ["use": .null, "alg": .null, "key_ops": .null],
            ["key_ops": .array([.string("sign"), .string("verify")])], ["exp": .integer(1), "x5t": .bool(true)],
            ["x5c": .array([])], ["x5c": .null], ["x5u": .string("https://keys.example/"), "crv": .string("P-521")],
        ] as [[String: JSONValue]]
    )
    func `other members of a key do not matter`(_ additions: [String: JSONValue]) throws {
        let signer = try Signer("RS256")
        let token = try signer.token(Self.claims)

        let key = try #require(JSONWebKey(try signer.members(additions)))

        #expect(JSONWebSignature.verify(compact: token, with: [key]) == .valid)
    }

    @Test func `a PKCS1 signature does not pass as a PSS one`() throws {
        let signer = try Signer("RS256")
        let token = try signer.token(Self.claims, header: #"{"alg":"PS256","kid":"key-1"}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .invalidSignature)
    }

    @Test func `an RSA key below 2048 bits verifies nothing`() throws {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        let signer = Signer(.rsa(key, .insecurePKCS1v1_5), algorithm: "RS256")

        #expect(JSONWebKey(try signer.members()) == nil)
        #expect(JSONWebKey(try signer.members(x5c: signer, hasParameters: false)) == nil)
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c", "e30.e30.e30", "e30.e30.e30.e30", "!!.e30.AA"])
    func `text that is not a token is malformed`(_ text: String) {
        #expect(JSONWebSignature.verify(compact: text, with: []) == .malformed)
    }

    @Test func `a critical header extension is rejected`() throws {
        let signer = try Signer("ES256")
        let token = try signer.token(Self.claims, header: #"{"alg":"ES256","kid":"key-1","crit":["b64"],"b64":false}"#)

        #expect(JSONWebSignature.verify(compact: token, with: [try signer.key]) == .malformed)
    }

    @Test func `a key set skips entries that are not usable keys`() throws {
        let good = try Signer("ES256").members(["kid": .string("good")])
        let odd: [JSONValue] = [
            .integer(1), .null, .array([good]), .object([:]), .object(["kty": .string("EC"), "kid": .string("a")]),
            .object(["kty": .string("RSA"), "n": .string("AQAB"), "e": .string("AQAB")]),
            .object(["kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string("AQAB")]),
            try Signer("ES256").members(["crv": .string("P-384")]), try Signer("ES256").members(["x": .string("AQAB")]),
            try Signer("ES256").members(["y": .null]), try Signer("RS256").members(["e": .null]),
        ]
        let document = JSONValue.object(["keys": .array(odd + [good]), "unknown": .bool(true)])

        let keys = try JSONWebKey.set(parsing: Data(document.text.utf8))

        #expect(keys.map(\.kid) == ["good"])
        #expect(throws: AuthorityError.self) { try JSONWebKey.set(parsing: Data("{}".utf8)) }
    }

    @Test(arguments: ["RS256", "PS256", "ES256"])
    func `a key may be published in a certificate, with or without its parameters`(_ algorithm: String) throws {
        let signer = try Signer(algorithm)
        let token = try signer.token(Self.claims)

        for hasParameters in [true, false] {
            let key = try #require(JSONWebKey(try signer.members(x5c: signer, hasParameters: hasParameters)))
            #expect(JSONWebSignature.verify(compact: token, with: [key]) == .valid)
        }
    }

    @Test(arguments: ["RS256", "ES256"])
    func `a certificate with a key other than the parameters is not used`(_ algorithm: String) throws {
        let (signer, other) = (try Signer(algorithm), try Signer(algorithm, key: "stranger"))
        let ofOtherType = try Signer(algorithm == "ES256" ? "RS256" : "ES256")

        #expect(JSONWebKey(try signer.members(x5c: other)) == nil)
        #expect(JSONWebKey(try signer.members(x5c: ofOtherType)) == nil)
        #expect(JSONWebKey(try signer.members(x5c: ofOtherType, hasParameters: false)) == nil)
    }

    @Test(
        arguments: [
            .string("MAA="), .array([.integer(1)]), .array([.string("")]), .array([.string("MAA=")]),
            .array([.string("no base64!")]), .object([:]), .array([.string("MIIBCgKCAQEA")]),
        ] as [JSONValue]
    )
    func `a certificate that cannot be parsed is not used`(_ chain: JSONValue) throws {
        let signer = try Signer("ES256")

        #expect(JSONWebKey(try signer.members(["x5c": chain])) == nil)
        #expect(JSONWebKey(try signer.members(["x5c": chain, "x": .null, "y": .null])) == nil)
    }

    @Test func `a certificate with a key of an unknown kind is skipped without an error`() throws {
        // An Ed25519 certificate, and one whose algorithm no library supports.
        let signer = try Signer("ES256")
        let certificate = try Signer.edwardsCertificate()
        let (known, made): ([UInt8], [UInt8]) = (
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x7F]
        )
        let unknown = try signer.certificate.replacing(known, with: made)
        #expect(!unknown.contains(known))

        for bytes in [certificate, unknown] {
            let chain = JSONValue.array([.string(Data(bytes).base64EncodedString())])
            #expect(JSONWebKey(try signer.members(["x5c": chain, "x": .null, "y": .null])) == nil)
        }
    }

    @Test(
        arguments: [
            (#"{"alg":"none"}"#, ""), (#"{"alg":"none"}"#, "AQ"), (#"{"alg":"nOnE"}"#, "AQ"), (#"{"alg":""}"#, "AQ"),
            (#"{"kid":"k1"}"#, "AQ"), (#"{"alg":1}"#, "AQ"), ("{", "AQ"), (#"{"alg":"RS256"}"#, ""),
        ]
    )
    func `an unsigned token is recognized without a key`(_ header: String, _ signature: String) {
        let start = "\(Base64URL.encode(header.utf8)).e30"

        #expect(JSONWebSignature.isUnsigned(compact: "\(start).\(signature)"))
        #expect(JSONWebSignature.isUnsigned(compact: start))
        #expect(!JSONWebSignature.isUnsigned(compact: "\(Base64URL.encode(#"{"alg":"RS256"}"#.utf8)).e30.AQ"))
    }
}
