// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import NIOSSL

extension ServerIdentity {
    /// SHA-1 of the server's certificate in hexadecimal digits.
    func thumbprint() throws -> String? {
        for case .certificate(let certificate) in tls.certificateChain { return try Self.thumbprint(of: certificate) }
        return nil
    }

    /// The thumbprint of the certificate in a state folder; `nil` before the first start.
    static func storedThumbprint(in folder: PrivateFolder) throws -> String? {
        guard let pem = try folder.read(certificateFile) else { return nil }
        return try folder.undamaged(certificateFile) {
            try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first.map(thumbprint)
        }
    }

    private static func thumbprint(of certificate: NIOSSLCertificate) throws -> String {
        Hexadecimal.text(Insecure.SHA1.hash(data: Data(try certificate.toDERBytes())), uppercase: true)
    }
}
