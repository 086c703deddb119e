// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The certificate of the signing key: what `x5c` shows and `x5t` and `kid` are made of. Nobody has to trust it.
enum SigningCertificate {
    /// A certificate in PEM that the key has signed itself, for ten years.
    static func selfSigned(_ key: _RSA.Signing.PrivateKey, at now: Date) throws -> String {
        let name = try DistinguishedName { CommonName("Entra emulator token signing") }
        let day: TimeInterval = 86_400
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-day),
            notValidAfter: now.addingTimeInterval(3650 * day),
            issuer: name,
            subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return try certificate.serializeAsPEM().pemString + "\n"
    }
}
