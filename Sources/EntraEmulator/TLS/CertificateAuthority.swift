// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import SwiftASN1
import X509

/// The emulator's certificate authority, which clients have to trust.
struct CertificateAuthority: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    static let certificateFile = "ca.pem"
    static let keyFile = "ca-key.pem"

    /// Reads the authority of a state folder. Returns `nil` if a file is missing, or if an interruption left two files
    /// that do not match.
    ///
    /// - Throws: `PrivateFolder.Failure` for a damaged file; the message says what to do.
    init?(storedIn directory: PrivateFolder) throws {
        guard let certificate = try directory.read(Self.certificateFile), let key = try directory.read(Self.keyFile)
        else { return nil }
        self.certificate = try directory.undamaged(Self.certificateFile) { try Certificate(pemEncoded: certificate) }
        self.key = try directory.undamaged(Self.keyFile) { try P256.Signing.PrivateKey(pemRepresentation: key) }
        guard self.certificate.publicKey == Certificate.PublicKey(self.key.publicKey) else { return nil }
    }

    /// Creates a new authority and stores it; it replaces an older one.
    ///
    /// `names`: The names that it may sign for, in addition to the names for tests.
    init(replacedIn directory: PrivateFolder, names: [String]) throws {
        let key = P256.Signing.PrivateKey()
        certificate = try Certificate.selfSigned(
            as: DistinguishedName {
                OrganizationName("Entra emulator, for local tests only")
                CommonName("Entra emulator CA \(Secret.random(bytes: 6).exposed)")
            },
            with: Certificate.PrivateKey(key),
            by: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                Critical(PermittedNames.constraints(adding: names))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            }
        )
        self.key = key
        try directory.write(key.pemRepresentation, to: Self.keyFile)
        try directory.write(try certificate.serializeAsPEM().pemString + "\n", to: Self.certificateFile)
    }
}

extension Certificate {
    /// Creates a self-signed certificate that is valid from yesterday for ten years, by the machine's clock.
    static func selfSigned(
        as subject: DistinguishedName,
        with key: PrivateKey,
        by algorithm: SignatureAlgorithm,
        extensions: Extensions = Extensions()
    ) throws -> Certificate {
        let day: TimeInterval = 86_400
        let now = EmulatorClock.systemNow
        return try Certificate(
            version: .v3,
            serialNumber: SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: now.addingTimeInterval(-day),
            notValidAfter: now.addingTimeInterval(3650 * day),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: algorithm,
            extensions: extensions,
            issuerPrivateKey: key
        )
    }
}
