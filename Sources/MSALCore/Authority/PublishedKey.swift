// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALBase
import SwiftASN1

/// The key inside a JSON Web Key, of one of the types that the allowed algorithms use.
enum PublishedKey: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)

    /// Reads the key from the parameters, from the first certificate, or from both.
    ///
    /// The key in the certificate must match the other members (RFC 7517 §4.7). The result is `nil` if it does not, or if
    /// one of the two cannot be read, because it is then unknown which key is meant.
    init?(_ members: [String: JSONValue]) {
        let certificates = members["x5c"].flatMap { $0 == .array([]) ? nil : $0 }
        var forms: [PublishedKey?] = []
        switch members["kty"]?.string {
        case "RSA":
            if members["n"] != nil || members["e"] != nil { forms.append(Self.rsa(parameters: members)) }
            if let certificates { forms.append(Self.rsa(certificates: certificates)) }
        case "EC" where members["crv"] ?? Self.curve == Self.curve:
            if members["x"] != nil || members["y"] != nil { forms.append(Self.p256(parameters: members)) }
            if let certificates { forms.append(Self.p256(certificates: certificates)) }
        default:
            return nil
        }
        guard let key = forms.first ?? nil, forms.allSatisfy({ $0?.encoded == key.encoded }) else { return nil }
        self = key
    }

    private static let curve = JSONValue.string("P-256")

    /// SubjectPublicKeyInfo in DER, which has one form for each key.
    var encoded: Data {
        switch self {
        case .rsa(let key): key.derRepresentation
        case .p256(let key): key.derRepresentation
        }
    }
}

// RFC 7518 §3.3 asks for RSA keys of 2048 bits or more. The initializers refuse shorter and malformed keys.
extension PublishedKey {
    private static func rsa(parameters members: [String: JSONValue]) -> PublishedKey? {
        guard
            let modulus = members["n"]?.string.flatMap(Base64URL.decode).map(withoutLeadingZeros),
            let exponent = members["e"]?.string.flatMap(Base64URL.decode).map(withoutLeadingZeros),
            modulus.count >= 256, !exponent.isEmpty
        else { return nil }
        return (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).map(PublishedKey.rsa)
    }

    private static func rsa(certificates: JSONValue) -> PublishedKey? {
        keyInfo(ofFirst: certificates)
            .flatMap { try? _RSA.Signing.PublicKey(derRepresentation: $0) }.map(PublishedKey.rsa)
    }

    private static func p256(parameters members: [String: JSONValue]) -> PublishedKey? {
        guard
            members["crv"] == curve,
            let x = members["x"]?.string.flatMap(Base64URL.decode),
            let y = members["y"]?.string.flatMap(Base64URL.decode),
            x.count == 32, y.count == 32  // A coordinate has its full size (RFC 7518 §6.2.1.2).
        else { return nil }
        return (try? P256.Signing.PublicKey(rawRepresentation: x + y)).map(PublishedKey.p256)
    }

    private static func p256(certificates: JSONValue) -> PublishedKey? {
        guard
            let info = keyInfo(ofFirst: certificates), let key = try? P256.Signing.PublicKey(derRepresentation: info),
            key.derRepresentation.elementsEqual(info)  // The initializer checks the curve, but not the algorithm.
        else { return nil }
        return .p256(key)
    }

    /// The key of the first certificate, which is the one with the key (RFC 7517 §4.7).
    private static func keyInfo(ofFirst certificates: JSONValue) -> ArraySlice<UInt8>? {
        let certificate = certificates.array?.first?.string.flatMap(Base64URL.decode)
        return certificate.flatMap { CertificateKey.info(ofCertificate: Array($0)) }
    }

    private static func withoutLeadingZeros(_ bytes: Data) -> Data { Data(bytes.drop { $0 == 0 }) }
}

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
