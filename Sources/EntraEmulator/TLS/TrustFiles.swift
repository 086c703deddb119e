// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation

/// The files that make clients trust the emulators of a state folder. They can be created before an emulator runs.
package struct TrustFiles: Sendable {
    /// A folder or file that cannot be used.
    package struct Failure: LocalizedError {
        /// One sentence with the remedy.
        package let errorDescription: String?
    }

    /// The PEM file with only the certificate authority, for clients that add it to their own.
    package let authority: URL
    /// A PEM file with the system's authorities and the emulator's, for clients whose setting replaces their own.
    package let bundle: URL
    /// The bundle in the format of Java, with the password of the JDK's own file.
    package let keyStore: URL
    /// The file of the system's authorities; `nil` if there is none, so that the bundle contains only one authority.
    package let systemAuthorities: URL?

    /// Creates the files that are missing, and updates the bundle if the system's authorities have changed.
    ///
    /// `host`: The name under which clients will connect to the emulator. A new authority may sign for it.
    ///
    /// - Throws: `Failure`, whose message says what to do.
    package init(stateDirectory: URL?, host: String = "localhost") throws(Failure) {
        do {
            let folder = try PrivateFolder(state: stateDirectory)
            (authority, bundle, keyStore, systemAuthorities) = try folder.locked {
                try Self.made(in: folder, host: host)
            }
        } catch {
            let known = (error as? PrivateFolder.Failure)?.description
            throw Failure(errorDescription: known ?? "cannot create a certificate authority: \(error.userMessage)")
        }
    }

    /// The reason, as a sentence, why this user's default state folder cannot be used; `nil` if it can.
    package static var usualFolderFault: String? {
        do throws(PrivateFolder.Failure) {
            let path = try PrivateFolder(PrivateFolder.standard).url.path
            return access(path, W_OK) == 0 ? nil : "cannot write to \(path): \(PrivateFolder.lastError)"
        } catch {
            return error.description
        }
    }

    private static let bundleFile = "ca-bundle.pem"
    private static let keyStoreFile = "ca-bundle.jks"

    /// The locations where Linux distributions and macOS keep their authorities as a single file.
    private static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    private static func made(in folder: PrivateFolder, host: String) throws -> (URL, URL, URL, URL?) {
        if try CertificateAuthority(storedIn: folder) == nil {
            _ = try CertificateAuthority(replacedIn: folder, names: [host.lowercased()])
        }
        let own = try folder.read(CertificateAuthority.certificateFile) ?? ""
        let system = places.lazy.compactMap { place in
            // A location that does not exist or cannot be read is skipped.
            (try? Data(contentsOf: URL(fileURLWithPath: place))).map { (URL(fileURLWithPath: place), $0) }
        }
        .first
        // Some lists have comments in other encodings, but only the certificates matter.
        let others = system.map { String(decoding: $0.1, as: UTF8.self) } ?? ""
        let text = others + (others.isEmpty || others.hasSuffix("\n") ? "" : "\n") + own
        if try folder.read(bundleFile) != text
            || !FileManager.default.fileExists(atPath: folder.file(keyStoreFile).path)
        {
            try folder.write(JavaKeyStore.file(authorities: text, time: EmulatorClock.systemNow), to: keyStoreFile)
            try folder.write(text, to: bundleFile)
        }
        return (
            folder.file(CertificateAuthority.certificateFile), folder.file(bundleFile), folder.file(keyStoreFile),
            system?.0
        )
    }
}

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
