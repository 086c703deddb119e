// Licensed under the MIT License. See LICENSE.

import SwiftASN1

/// The public key inside a certificate (RFC 5280 §4.1).
///
/// NIOSSL ends the process where a certificate holds a key of a type that it does not know.
enum CertificateKey {
    /// The SubjectPublicKeyInfo of a certificate; `nil` if the bytes are no certificate.
    ///
    /// Nothing of the certificate is verified. It carries a key as a modulus and an exponent do, and whoever published
    /// it vouches for it.
    ///
    /// - Parameter bytes: DER.
    /// - Returns: DER too.
    static func info(ofCertificate bytes: [UInt8]) -> ArraySlice<UInt8>? {
        try? DER.sequence(DER.parse(bytes), identifier: .sequence) { certificate in  // Foreign bytes.
            let body = try next(of: &certificate)
            for _ in 0..<2 { _ = try next(of: &certificate) }  // The algorithm and the signature.
            return try DER.sequence(body, identifier: .sequence) { fields in
                // The version.
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
