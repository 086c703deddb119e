// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import SwiftASN1

/// The private key of a client certificate: RSA, with at least 2048 bits. Its description does not contain the key.
struct ClientKey: Sendable, CustomStringConvertible, ServerRedactedReflection {
    let numbers: RSANumbers
    let key: _RSA.Signing.PrivateKey

    /// Reads a key in the form of PKCS#8 (RFC 5958 §2) or PKCS#1 (RFC 8017 §A.1.2).
    ///
    /// - Throws: `.invalidCertificate` because of `.keyType`, `.keyTooSmall` or `.malformed`.
    init(der: [UInt8]) throws(MSALTokenError) {
        let numbers: RSANumbers?
        do {
            numbers = try Self.numbers(of: try DER.parse(der))
        } catch {
            throw ClientCertificateError.error(.malformed)
        }
        guard let numbers else { throw ClientCertificateError.error(.keyType) }
        guard numbers.bits >= Self.smallest else { throw ClientCertificateError.error(.keyTooSmall) }
        do {
            key = try _RSA.Signing.PrivateKey(derRepresentation: Data(der))
        } catch {
            throw ClientCertificateError.error(.malformed)
        }
        self.numbers = numbers
    }

    /// The least number of bits.
    static let smallest = 2048

    /// The public numbers of a private key; `nil` for keys of other kinds.
    private static func numbers(of node: ASN1Node) throws -> RSANumbers? {
        try fields(of: node) { second, third in
            switch second.identifier {
            case .integer:
                return try RSANumbers(modulus: second, exponent: third)
            case .sequence:
                guard try RSANumbers.identifier(of: second) == RSANumbers.algorithm else { return nil }
                let inner = try DER.parse(ASN1OctetString(derEncoded: third).bytes)
                return try fields(of: inner) { try RSANumbers(modulus: $0, exponent: $1) }
            default:
                return nil  // An elliptic key (RFC 5915 §3).
            }
        }
    }

    /// The second and the third field of a key. The first one is its version.
    private static func fields<Value>(of node: ASN1Node, _ read: (ASN1Node, ASN1Node) throws -> Value) throws -> Value {
        try DER.sequence(node, identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }
            _ = try CertificateFields.next(of: &fields)
            return try read(try CertificateFields.next(of: &fields), try CertificateFields.next(of: &fields))
        }
    }

    /// The key in PKCS#8. It is a secret.
    var der: Data { key.pkcs8DERRepresentation }

    var description: String { "ClientKey(\(numbers.bits) bits)" }
}
