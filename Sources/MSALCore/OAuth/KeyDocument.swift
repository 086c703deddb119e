// Licensed under the MIT License. See LICENSE.

import SwiftASN1

/// The kind of the key in a document, told apart before a key is made of it, so that a refusal can name its reason.
enum KeyDocument: Sendable, Equatable {
    /// An RSA key in PKCS#8 (RFC 5958 §2) or PKCS#1 (RFC 8017 §A.1.2), with the length of its modulus in bits.
    case rsaPrivate(bits: Int)
    /// An RSA key in SubjectPublicKeyInfo (RFC 5280 §4.1) or PKCS#1 (RFC 8017 §A.1.1).
    case rsaPublic(bits: Int)
    /// A private key of another kind, or one that is encrypted.
    case otherPrivate
    /// A public key of another kind, or a certificate.
    case otherPublic

    /// Reads a document in DER; `nil` if it is not a key.
    init?(der: [UInt8]) {
        guard let fields = try? DER.parse(der).fields else { return nil }  // The bytes may be anything.
        let first = fields.first
        switch fields.prefix(3).map(\.identifier) {
        case [.integer, .integer, .integer]:
            self = .rsaPrivate(bits: fields[1].bits)
        case [.integer, .integer]:
            self = .rsaPublic(bits: fields[0].bits)
        case [.integer, .sequence, .octetString]:
            self = fields[1].isRSA ? .rsaPrivate(bits: fields[2].inner?[at: 1]?.bits ?? 0) : .otherPrivate
        case [.sequence, .bitString]:
            self = first?.isRSA == true ? .rsaPublic(bits: fields[1].inner?[at: 0]?.bits ?? 0) : .otherPublic
        case [.sequence, .octetString]:
            self = .otherPrivate  // Encrypted (RFC 5958 §3).
        case [.sequence, .sequence, .bitString]:
            self = .otherPublic
        case let identifiers where Array(identifiers.prefix(2)) == [.integer, .octetString]:
            self = .otherPrivate  // An elliptic key (RFC 5915 §3).
        default:
            return nil
        }
    }

    /// Reads a document in PEM (RFC 7468), the first one of a key.
    ///
    /// - Returns: The kind, and the bytes in DER.
    static func parse(pem: String) -> (document: KeyDocument, der: [UInt8])? {
        // The headers of an encrypted key of OpenSSL's own form (RFC 1421 §4.6.1.1) are no PEM of today.
        guard !pem.contains("Proc-Type: 4,ENCRYPTED") else { return (.otherPrivate, []) }
        let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
        guard let found = documents.first(where: { $0.discriminator.hasSuffix("KEY") || $0.isCertificate }) else {
            return nil
        }
        // OpenSSH's format is not DER.
        if found.discriminator.hasPrefix("OPENSSH") { return (.otherPrivate, []) }
        return KeyDocument(der: found.derBytes).map { ($0, found.derBytes) }
    }
}

extension PEMDocument {
    fileprivate var isCertificate: Bool { discriminator.hasSuffix("CERTIFICATE") }
}

extension ASN1Node {
    /// The fields of a sequence; `nil` for something else.
    fileprivate var fields: [ASN1Node]? {
        guard identifier == .sequence, case .constructed(let nodes) = content else { return nil }
        return Array(nodes)
    }

    /// The fields of the sequence in an octet string or a bit string.
    fileprivate var inner: [ASN1Node]? {
        guard case .primitive(let bytes) = content else { return nil }
        // The first byte of a bit string is the number of unused bits.
        return try? DER.parse(identifier == .bitString ? bytes.dropFirst() : bytes).fields
    }

    /// Whether this algorithm is `rsaEncryption` (RFC 8017 §A.1). A key for PSS alone has another, and cannot sign RS256.
    fileprivate var isRSA: Bool {
        guard let algorithm = fields?.first else { return false }
        return (try? ASN1ObjectIdentifier(derEncoded: algorithm)) == [1, 2, 840, 113_549, 1, 1, 1]
    }

    /// The length of a positive integer.
    fileprivate var bits: Int {
        guard case .primitive(let bytes) = content else { return 0 }
        let digits = bytes.drop { $0 == 0 }
        return digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
    }
}

extension Array {
    fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
