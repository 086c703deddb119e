// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The parsed certificate of an application.
struct RegisteredCertificate: Sendable {
    /// SHA-1 of the certificate in base64url, as in `x5t` (RFC 7515 §4.1.7).
    let thumbprint: String
    /// SHA-256 of the certificate in base64url, as in `x5t#S256` (RFC 7515 §4.1.8).
    let sha256Thumbprint: String
    let key: _RSA.Signing.PublicKey
    /// The subject of accepted certificates, if this is an issuer's certificate.
    let subject: String?
    private let certificate: Certificate

    /// Parses a PEM text; `nil` if it is not a certificate with an RSA key.
    init?(pem: String, subject: String? = nil) {
        // The caller knows which entry it is; the parser's reason adds nothing.
        guard let document = try? PEMDocument(pemString: pem) else { return nil }
        self.init(der: Data(document.derBytes), subject: subject)
    }

    /// Parses a DER certificate.
    init?(der: Data, subject: String? = nil) {
        guard let certificate = try? Certificate(derEncoded: Array(der)),
            let key = try? _RSA.Signing.PublicKey(
                derRepresentation: Data(certificate.publicKey.serializeAsPEM().derBytes)
            )
        else { return nil }
        self.certificate = certificate
        self.key = key
        self.subject = subject
        thumbprint = Data(Insecure.SHA1.hash(data: der)).base64URL
        sha256Thumbprint = Data(SHA256.hash(data: der)).base64URL
    }

    /// Whether this issuer's certificate makes another certificate with the required subject valid at a time.
    func vouches(for leaf: RegisteredCertificate, at now: Date) -> Bool {
        guard let subject, leaf.certificate.subject.description == subject || leaf.commonName == subject,
            leaf.certificate.issuer == certificate.subject,
            leaf.isValid(at: now)
        else { return false }
        return certificate.publicKey.isValidSignature(leaf.certificate.signature, for: leaf.certificate)
    }

    /// Whether the certificate is valid at a time.
    func isValid(at now: Date) -> Bool {
        (certificate.notValidBefore...certificate.notValidAfter).contains(now)
    }

    private var commonName: String? {
        certificate.subject.flatMap(\.self).first { $0.type == .RDNAttributeType.commonName }
            .map { String(describing: $0.value) }
    }
}
