// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import TestSupport
import X509

/// A confidential client's certificate, and the assertions that are signed with it, right or wrong.
struct AssertionSigner {
    private let key: _RSA.Signing.PrivateKey
    private let certificate: Certificate
    private let issuer: Certificate?

    /// A certificate that signs itself, or one that an issuer signed. Signers with the same `key` share it.
    init(
        commonName: String = "contoso-service",
        issuer: AssertionSigner? = nil,
        key name: String = "client"
    ) throws {
        key = try SharedKeys.rsa(name)
        let subject = try DistinguishedName { CommonName(commonName) }
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date().addingTimeInterval(-3_600),
            notValidAfter: Date().addingTimeInterval(86_400),
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key)
        )
        self.issuer = issuer?.certificate
    }

    /// The certificate as a registration holds it.
    var pem: String { get throws { try certificate.serializeAsPEM().pemString } }

    /// Its private key, with which a TLS client shows that the certificate is its own.
    var keyPEM: String { key.pemRepresentation }

    /// SHA-256 of the certificate, as `x5t#S256` has it.
    var sha256Thumbprint: String {
        get throws { Bench.base64URL(Data(SHA256.hash(data: try der)).base64EncodedString()) }
    }

    private var der: Data { get throws { Data(try certificate.serializeAsPEM().derBytes) } }

    /// How a header names the certificate.
    enum Naming: CaseIterable {
        case sha1, sha1Padded, sha1InOtherAlphabet, sha256, sha256Padded, chain, chainAsText, chainWithLineBreaks,
            nothing

        static let ofThumbprints: [Naming] = [.sha1, .sha1Padded, .sha1InOtherAlphabet, .sha256, .sha256Padded]
    }

    /// An assertion; `changes` replace claims, `NSNull` removes them.
    func assertion(
        of clientID: String,
        for audience: String,
        algorithm: String = "RS256",
        naming: Naming = .sha1,
        at time: Date = Date(),
        changing changes: [String: Any] = [:]
    ) throws -> String {
        let now = Int(time.timeIntervalSince1970)
        let claims: [String: Any] = [
            "iss": clientID, "sub": clientID, "aud": audience, "nbf": now, "exp": now + 600, "jti": UUID().uuidString,
        ]
        var header = try names(by: naming)
        header["alg"] = algorithm
        header["typ"] = "JWT"
        let signed = try [header, claims.merging(changes) { $1 }]
            .map { members in
                let members = members.filter { !($0.value is NSNull) }
                return Bench.base64URL(try JSONSerialization.data(withJSONObject: members).base64EncodedString())
            }
            .joined(separator: ".")
        let signature = try key.signature(
            for: SHA256.hash(data: Data(signed.utf8)),
            padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5
        ).rawRepresentation
        return "\(signed).\(Bench.base64URL(signature.base64EncodedString()))"
    }

    private func names(by naming: Naming) throws -> [String: Any] {
        let der = try der
        let sha1 = Data(Insecure.SHA1.hash(data: der)).base64EncodedString()
        let sha256 = Data(SHA256.hash(data: der)).base64EncodedString()
        func padded(_ text: String) -> String {
            text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        }
        let chain = try ([certificate] + [issuer].compactMap(\.self)).map {
            Data(try $0.serializeAsPEM().derBytes)
        }
        switch naming {
        case .sha1: return ["x5t": Bench.base64URL(sha1)]
        case .sha1Padded: return ["x5t": padded(sha1)]
        case .sha1InOtherAlphabet: return ["x5t": sha1]
        case .sha256: return ["x5t#S256": Bench.base64URL(sha256)]
        case .sha256Padded: return ["x5t#S256": padded(sha256)]
        case .chain: return ["x5c": chain.map { $0.base64EncodedString() }]
        case .chainAsText: return ["x5c": der.base64EncodedString()]
        case .chainWithLineBreaks:
            return ["x5c": chain.map { $0.base64EncodedString(options: .lineLength64Characters) }]
        case .nothing: return [:]
        }
    }
}
