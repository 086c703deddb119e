// Licensed under the MIT License. See LICENSE.

import SwiftASN1

/// The two numbers of an RSA public key (RFC 8017 §3.1).
struct RSANumbers: Sendable, Hashable {
    /// The modulus without zeros in front.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// The length of the modulus.
    var bits: Int {
        guard let first = modulus.first else { return 0 }
        return modulus.count * 8 - first.leadingZeroBitCount
    }

    /// `rsaEncryption` (RFC 8017 §A.1).
    static let algorithm: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]

    /// The numbers in a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7); `nil` for keys of other kinds.
    init?(publicKeyInfo node: ASN1Node) throws {
        let (algorithm, key) = try DER.sequence(node, identifier: .sequence) { fields in
            (try CertificateFields.next(of: &fields), try ASN1BitString(derEncoded: &fields))
        }
        guard try Self.identifier(of: algorithm) == Self.algorithm else { return nil }
        self = try DER.sequence(DER.parse(key.bytes), identifier: .sequence) { numbers in
            try RSANumbers(
                modulus: try CertificateFields.next(of: &numbers),
                exponent: try CertificateFields.next(of: &numbers)
            )
        }
    }

    /// Two INTEGERs.
    init(modulus: ASN1Node, exponent: ASN1Node) throws {
        self.modulus = try Self.number(modulus)
        self.exponent = try Self.number(exponent)
    }

    /// The object identifier of an AlgorithmIdentifier.
    static func identifier(of algorithm: ASN1Node) throws -> ASN1ObjectIdentifier {
        try DER.sequence(algorithm, identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }  // The parameters.
            return try ASN1ObjectIdentifier(derEncoded: &fields)
        }
    }

    private static func number(_ node: ASN1Node) throws -> [UInt8] {
        guard node.identifier == .integer, case .primitive(let bytes) = node.content else {
            throw ASN1Error.unexpectedFieldType(node.identifier)
        }
        return Array(bytes.drop { $0 == 0 })
    }
}
