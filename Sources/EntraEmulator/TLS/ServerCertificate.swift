// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A server certificate with its key, both in PEM.
struct ServerCertificate: Sendable {
    let certificate: String
    let key: String

    init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Creates a certificate for host names and addresses; `*.` matches one label.
    ///
    /// `issuer`: The authority that signs it; `nil` makes it self-signed.
    init(names: [String], validity: Range<Date>, issuer: CertificateAuthority?) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("Entra emulator") }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.map(Self.generalName))
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: issuer?.certificate.publicKey ?? publicKey).keyIdentifier
                )
            },
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key)
        )
        self.certificate = try certificate.serializeAsPEM().pemString + "\n"
        self.key = key.pemRepresentation
    }

    /// The certificates that a listener presents.
    func chain() throws -> [NIOSSLCertificateSource] {
        try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) }
    }

    /// The key that a listener signs with.
    func privateKey() throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
    }

    private static func generalName(_ name: String) -> GeneralName {
        let address = address(name, family: AF_INET, bytes: 4) ?? address(name, family: AF_INET6, bytes: 16)
        return address.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(name)
    }

    private static func address(_ text: String, family: CInt, bytes: Int) -> [UInt8]? {
        var address = [UInt8](repeating: 0, count: bytes)
        return inet_pton(family, text, &address) == 1 ? address : nil
    }
}
