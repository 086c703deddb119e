// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import Testing
import X509

/// A self-signed server certificate with its key. A client that trusts its ``file`` trusts only this server.
struct TestCertificate: Sendable {
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey
    private let pem: String

    /// - Parameters:
    ///   - names: The host names and addresses of the subjectAltName. If empty, the extension is omitted.
    ///   - commonName: The last part of the subject.
    ///   - validity: The first and the last second of the certificate.
    /// - Throws: The errors of X509.
    init(
        names: [String],
        commonName: String = "a test",
        validity: ClosedRange<Date> = Date.now.addingTimeInterval(-3600)...Date.now.addingTimeInterval(86_400)
    ) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(commonName) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                if !names.isEmpty { SubjectAlternativeNames(names.map(Self.generalName)) }
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        pem = try certificate.serializeAsPEM().pemString
        self.certificate = try #require(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first)
        self.key = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
    }

    /// What a server needs to present it.
    func context() throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(key)
            )
        )
    }

    /// Writes the certificate into `directory`, as a client's CA file.
    func file(in directory: URL) throws -> URL {
        let file = directory.appending(path: "ca.pem")
        try Data(pem.utf8).write(to: file)
        return file
    }

    private static func generalName(_ name: String) -> GeneralName {
        let address = bytes(of: name, AF_INET, count: 4) ?? bytes(of: name, AF_INET6, count: 16)
        return address.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(name)
    }

    private static func bytes(of text: String, _ family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
