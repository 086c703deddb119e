// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSAL
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import MSALBase
@testable import MSALCore

/// Signs tokens with a key and publishes the key.
struct Signer: Sendable {
    enum PrivateKey: Sendable {
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
        case elliptic(P256.Signing.PrivateKey)
    }

    let algorithm: String
    let privateKey: PrivateKey

    init(_ privateKey: PrivateKey, algorithm: String) {
        self.privateKey = privateKey
        self.algorithm = algorithm
    }

    /// RSA signers with the same `name` share a key. Each elliptic curve signer has a separate key.
    init(_ algorithm: String, key name: String = "provider") throws {
        let privateKey: PrivateKey =
            switch algorithm {
            case "ES256": .elliptic(P256.Signing.PrivateKey())
            case "PS256": .rsa(try SharedKeys.rsa(name), .PSS)
            default: .rsa(try SharedKeys.rsa(name), .insecurePKCS1v1_5)
            }
        self.init(privateKey, algorithm: algorithm)
    }

    /// The public key, named `key-1`.
    var key: JSONWebKey {
        get throws { try #require(JSONWebKey(try members())) }
    }

    /// The public key as JSON, named `key-1`, with `changes`. A null removes a member.
    func members(_ changes: [String: JSONValue] = [:]) throws -> JSONValue {
        var members: [String: JSONValue] = ["kid": .string("key-1")]
        switch privateKey {
        case .rsa(let key, _):
            let primitives = try key.publicKey.getKeyPrimitives()
            members["kty"] = .string("RSA")
            members["n"] = .string(Base64URL.encode(primitives.modulus))
            members["e"] = .string(Base64URL.encode(primitives.publicExponent))
        case .elliptic(let key):
            let point = key.publicKey.rawRepresentation
            members["kty"] = .string("EC")
            members["crv"] = .string("P-256")
            members["x"] = .string(Base64URL.encode(point.prefix(32)))
            members["y"] = .string(Base64URL.encode(point.suffix(32)))
        }
        return .object(members.merging(changes) { $1 }.filter { $0.value != .null })
    }

    /// The same with the certificate of `holder`, and without the key's parameters unless `hasParameters`.
    func members(x5c holder: Signer, hasParameters: Bool = true) throws -> JSONValue {
        let text = Data(try holder.certificate).base64EncodedString()
        let chain = ["x5c": JSONValue.array([.string(text), .string("not looked at")])]
        let none = Dictionary(uniqueKeysWithValues: ["n", "e", "x", "y"].map { ($0, JSONValue.null) })
        return try members(hasParameters ? chain : chain.merging(none) { $1 })
    }

    /// A certificate for the key, signed with it; DER.
    var certificate: [UInt8] {
        get throws {
            switch privateKey {
            case .rsa(let key, _): try Self.certificate(Certificate.PrivateKey(key))
            case .elliptic(let key): try Self.certificate(Certificate.PrivateKey(key))
            }
        }
    }

    /// A certificate for a key of a type that no allowed algorithm uses; DER.
    static func edwardsCertificate() throws -> [UInt8] {
        try certificate(Certificate.PrivateKey(Curve25519.Signing.PrivateKey()))
    }

    private static func certificate(_ key: Certificate.PrivateKey) throws -> [UInt8] {
        let name = try DistinguishedName { CommonName("Keys of Contoso") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 1_700_000_000),
            notValidAfter: Date(timeIntervalSince1970: 1_800_000_000),
            issuer: name,
            subject: name,
            extensions: try Certificate.Extensions { Critical(KeyUsage(digitalSignature: true)) },
            issuerPrivateKey: key
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// The claims as a signed token whose header names `key-1`, or with another header.
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
