// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation
import MSALBase

/// The names of a certificate in the header of an assertion (RFC 7515 §4.1.7, §4.1.8): base64url without padding.
package struct CertificateThumbprints: Sendable, Hashable {
    package let sha256: String
    package let sha1: String

    package init(der: some DataProtocol) {
        sha256 = Base64URL.encode(SHA256.hash(data: der))
        sha1 = Base64URL.encode(Insecure.SHA1.hash(data: der))
    }

    /// The thumbprints of the first certificate in a PEM text.
    package init?(pem: String) {
        let block = PEMBlock.blocks(of: pem.utf8).first { $0.label == "CERTIFICATE" }
        guard let content = block?.content else { return nil }
        self.init(der: content)
    }
}
