// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation

/// A file of certificate authorities for Java, in the JKS format of the JDK. It contains no secret.
package enum JavaKeyStore {
    /// The password of the JDK's own file of authorities. It protects nothing.
    private static let password = "changeit"

    /// Creates the file with all certificates of a PEM text.
    ///
    /// - Parameters:
    ///   - pem: The certificates.
    ///   - time: The time that the file records as the time of addition.
    /// - Returns: The bytes of the file. Blocks with invalid Base64 are skipped.
    package static func file(authorities pem: String, time: Date) -> Data {
        let certificates = certificates(in: pem)
        var bytes = number(UInt32(0xFEED_FEED)) + number(UInt32(2)) + number(UInt32(certificates.count))
        let milliseconds = UInt64(max(0, time.timeIntervalSince1970) * 1_000)
        for (index, certificate) in certificates.enumerated() {
            bytes += number(UInt32(2)) + text("authority-\(index)") + number(milliseconds)
            bytes += text("X.509") + number(UInt32(certificate.count)) + certificate
        }
        // The digest covers the password in UTF-16, a fixed text, and all bytes above.
        let secret = password.utf16.flatMap(number)
        return bytes + Data(Insecure.SHA1.hash(data: secret + Data("Mighty Aphrodite".utf8) + bytes))
    }

    private static func certificates(in pem: String) -> [Data] {
        pem.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return nil }
            return Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        }
    }

    private static func number(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    /// A text preceded by its length. The names here are ASCII.
    private static func text(_ text: String) -> Data { number(UInt16(text.utf8.count)) + Data(text.utf8) }
}
