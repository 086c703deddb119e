// Licensed under the MIT License. See LICENSE.

import Foundation
import SwiftASN1

/// The fields of a certificate that this library reads (RFC 5280 §4.1).
///
/// NIOSSL is not used here, because it ends the process if a certificate holds a key of an unknown type.
struct CertificateFields: Sendable {
    /// The certificate in DER.
    let der: [UInt8]
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>
    let notBefore: Date
    let notAfter: Date
    /// `nil` if the key is no RSA key.
    let key: RSANumbers?
    /// The key identifiers of the certificate and of its issuer (RFC 5280 §4.2.1.1, §4.2.1.2).
    private let subjectKeyID: ArraySlice<UInt8>?
    private let issuerKeyID: ArraySlice<UInt8>?

    /// Reads a certificate. It is not verified.
    init(der: [UInt8]) throws {
        self.der = der
        let root = try DER.parse(der)
        let body = try DER.sequence(root, identifier: .sequence) { certificate in
            defer { while certificate.next() != nil {} }  // The algorithm and the signature.
            return try Self.next(of: &certificate)
        }
        let parts = try DER.sequence(body, identifier: .sequence) { fields in
            // The version, which is not needed here.
            _ = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { $0 }
            for _ in 0..<2 { _ = try Self.next(of: &fields) }  // Serial number and algorithm.
            let issuer = try Self.next(of: &fields)
            let validity = try Self.next(of: &fields)
            let subject = try Self.next(of: &fields)
            let key = try Self.next(of: &fields)
            var extensions: [CertificateExtension] = []
            while let field = fields.next() {
                guard field.identifier == ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific) else { continue }
                guard case .constructed(let nodes) = field.content, let list = nodes.first(where: { _ in true }) else {
                    continue
                }
                extensions = try DER.sequence(of: CertificateExtension.self, identifier: .sequence, rootNode: list)
            }
            return (issuer: issuer, validity: validity, subject: subject, key: key, extensions: extensions)
        }
        issuer = parts.issuer.encodedBytes
        subject = parts.subject.encodedBytes
        key = try RSANumbers(publicKeyInfo: parts.key)
        (notBefore, notAfter) = try DER.sequence(parts.validity, identifier: .sequence) { times in
            (try Self.date(try Self.next(of: &times)), try Self.date(try Self.next(of: &times)))
        }
        subjectKeyID = try parts.extensions.first { $0.id == [2, 5, 29, 14] }?.subjectKeyID()
        issuerKeyID = try parts.extensions.first { $0.id == [2, 5, 29, 35] }?.issuerKeyID()
    }

    /// Whether the certificate names itself as its issuer.
    var isSelfIssued: Bool { issuer == subject }

    /// Whether `other` can be the certificate of this one's issuer, by the names and the key identifiers.
    func isIssued(by other: CertificateFields) -> Bool {
        guard issuer == other.subject else { return false }
        guard let issuerKeyID, let theirs = other.subjectKeyID else { return true }
        return issuerKeyID == theirs
    }

    static func next(of nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "A sequence ends early.") }
        return node
    }

    private static func date(_ node: ASN1Node) throws -> Date {
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            return date(time.year, month: time.month, day: time.day, time: (time.hours, time.minutes, time.seconds))
        }
        let time = try GeneralizedTime(derEncoded: node)
        return date(time.year, month: time.month, day: time.day, time: (time.hours, time.minutes, time.seconds))
    }

    /// The moment in UTC. The days are counted from the first of March, so that a leap day ends its year.
    private static func date(_ year: Int, month: Int, day: Int, time: (Int, Int, Int)) -> Date {
        let seconds = time.0 * 3600 + time.1 * 60 + time.2
        let year = month > 2 ? year : year - 1
        let era = year >= 0 ? year / 400 : (year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + seconds))
    }
}

/// An extension of a certificate (RFC 5280 §4.2).
private struct CertificateExtension: DERParseable {
    let id: ASN1ObjectIdentifier
    let value: ArraySlice<UInt8>

    init(derEncoded node: ASN1Node) throws {
        (id, value) = try DER.sequence(node, identifier: .sequence) { fields in
            let id = try ASN1ObjectIdentifier(derEncoded: &fields)
            _ = try DER.decodeDefault(&fields, defaultValue: false)  // Whether it is critical.
            return (id, try ASN1OctetString(derEncoded: &fields).bytes)
        }
    }

    func subjectKeyID() throws -> ArraySlice<UInt8> {
        try ASN1OctetString(derEncoded: DER.parse(value)).bytes
    }

    func issuerKeyID() throws -> ArraySlice<UInt8>? {
        try DER.sequence(DER.parse(value), identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }  // The issuer's names and serial number.
            let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            return try DER.optionalImplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) {
                try ASN1OctetString(derEncoded: $0, withIdentifier: tag).bytes
            }
        }
    }
}
