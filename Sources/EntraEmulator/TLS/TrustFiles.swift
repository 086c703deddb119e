// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The files that make clients trust the emulators of a state folder. They can be made before an emulator runs.
package struct TrustFiles: Sendable {
    /// A folder or file that cannot be used.
    package struct Failure: LocalizedError {
        /// One sentence with the remedy.
        package let errorDescription: String?
    }

    /// The PEM file of the certificate authority alone, for clients that add it to their own.
    package let authority: URL
    /// A PEM file of the system's authorities and the emulator's, for clients whose setting replaces their own.
    package let bundle: URL
    /// The bundle as Java reads it, with the password of the JDK's own file.
    package let keyStore: URL
    /// The file that the system's authorities were read from; `nil` if there is none, and the bundle has one authority.
    package let systemAuthorities: URL?

    /// Makes the files that are missing, and the bundle anew if the system's authorities have changed.
    ///
    /// `host`: The name by which clients will reach the emulator. A new authority may sign for it.
    ///
    /// - Throws: `Failure`, whose text says what to do.
    package init(stateDirectory: URL?, host: String = "localhost") throws(Failure) {
        do {
            let folder = try PrivateFolder(state: stateDirectory)
            (authority, bundle, keyStore, systemAuthorities) = try folder.locked {
                try Self.made(in: folder, host: host)
            }
        } catch {
            let known = (error as? PrivateFolder.Failure)?.description
            throw Failure(errorDescription: known ?? "cannot make a certificate authority: \(error.words)")
        }
    }

    /// The reason, as a sentence, why this user's usual folder of state cannot be used; `nil` if it can.
    package static var usualFolderFault: String? {
        do throws(PrivateFolder.Failure) {
            let path = try PrivateFolder(PrivateFolder.standard).url.path
            return access(path, W_OK) == 0 ? nil : "cannot write in \(path): \(PrivateFolder.lastError)"
        } catch {
            return error.description
        }
    }

    private static let bundleFile = "ca-bundle.pem"
    private static let keyStoreFile = "ca-bundle.jks"

    /// The places where the distributions of Linux, and macOS, keep their authorities as one file.
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
            // A place that does not exist or cannot be read is passed over.
            (try? Data(contentsOf: URL(fileURLWithPath: place))).map { (URL(fileURLWithPath: place), $0) }
        }
        .first
        // Some lists have comments in other encodings. Only the certificates count.
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
