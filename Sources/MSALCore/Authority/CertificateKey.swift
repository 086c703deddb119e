// Licensed under the MIT License. See LICENSE.

import SwiftASN1

/// The public key inside a certificate (RFC 5280 §4.1).
///
/// NIOSSL is not used here, because it ends the process if a certificate contains a key of an unknown type.
enum CertificateKey {
    /// The SubjectPublicKeyInfo of a certificate. The result is `nil` if the bytes are not a certificate.
    ///
    /// The certificate is not verified, because it only carries the key. Trust comes from the document that publishes
    /// it.
    ///
    /// - Parameter bytes: The certificate in DER.
    /// - Returns: The key in DER.
    static func info(ofCertificate bytes: [UInt8]) -> ArraySlice<UInt8>? {
        try? DER.sequence(DER.parse(bytes), identifier: .sequence) { certificate in  // The bytes may be malformed.
            let body = try next(of: &certificate)
            for _ in 0..<2 { _ = try next(of: &certificate) }  // The algorithm and the signature.
            return try DER.sequence(body, identifier: .sequence) { fields in
                // The version, which is not needed here.
                _ = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { $0 }
                // Serial number, algorithm, issuer, validity, subject.
                for _ in 0..<5 { _ = try next(of: &fields) }
                let info = try next(of: &fields)
                while fields.next() != nil {}  // Identifiers of older versions, and extensions.
                return info.encodedBytes
            }
        }
    }

    private static func next(of nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "The certificate ends early.") }
        return node
    }
}
