// Licensed under the MIT License. See LICENSE.

import Crypto
import MSALBase
package import NIOSSL

/// The SHA-1 hash of a certificate's DER bytes. With it, Service Fabric names the only server that a program may trust.
///
/// SHA-1 is the choice of Service Fabric. A forger would need a second preimage, which is infeasible for SHA-1 today.
package struct CertificateThumbprint: Sendable, Hashable {
    private let digest: [UInt8]

    /// A hash as 40 hexadecimal digits of any case; `nil` for other text.
    package init?(_ text: String) {
        guard let digest = Hexadecimal.bytes(text), digest.count == 20 else { return nil }
        self.digest = digest
    }

    /// The hash of a certificate.
    package init(of certificate: NIOSSLCertificate) throws {
        digest = Array(Insecure.SHA1.hash(data: try certificate.toDERBytes()))
    }
}
