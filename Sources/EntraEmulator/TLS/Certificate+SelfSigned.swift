// Licensed under the MIT License. See LICENSE.

import Foundation
import X509

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
