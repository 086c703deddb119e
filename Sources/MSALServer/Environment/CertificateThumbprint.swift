// Licensed under the MIT License. See LICENSE.

import Crypto
package import NIOSSL

/// The SHA-1 hash of a certificate's DER bytes, by which the host of a program names the one server to be trusted.
///
/// SHA-1 is the host's choice. A forger would need a second preimage, which nobody can find for SHA-1 today.
package struct CertificateThumbprint: Sendable, Hashable {
    private let digest: [UInt8]

    /// A hash as 40 hexadecimal digits of any case; `nil` for other text.
    package init?(_ text: String) {
        let digits = text.utf8.compactMap(Self.value(ofDigit:))
        guard digits.count == 40, text.utf8.count == 40 else { return nil }
        digest = stride(from: 0, to: 40, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The hash of a certificate.
    package init(of certificate: NIOSSLCertificate) throws {
        digest = Array(Insecure.SHA1.hash(data: try certificate.toDERBytes()))
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
