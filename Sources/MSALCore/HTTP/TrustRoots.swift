// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOSSL
import UserFiles

/// The certificate authorities that the TLS client trusts (docs/reference/Protocol.md#trust).
///
/// They are the system's. Those of `SSL_CERT_FILE` replace them, as in OpenSSL. The app's own CA file adds to them.
package enum TrustRoots {
    /// The variable that names the authorities of the emulator which `MSAL_EMULATOR` names.
    package static let emulatorVariable = "MSAL_EMULATOR_CA"

    /// A client configuration with these roots.
    ///
    /// - Throws: `.untrustedCertificate` if a named file cannot be read. The path or the file has to be corrected.
    static func configuration(_ settings: HTTPSettings) throws(TransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // TLS 1.2 is limited to key exchanges with forward secrecy (RFC 9325 §4.1). TLS 1.3 has no others.
        configuration.cipherSuites = "ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES256:ECDH+AES128:!aNULL:!eNULL"
        if let file = settings.environment["SSL_CERT_FILE"], !file.isEmpty {
            configuration.trustRoots = .certificates(try certificates(file, namedBy: "SSL_CERT_FILE"))
        } else if !containsAny(settings) {
            // NIOSSL's default would fail silently, even for servers with a certificate of the app's own authority.
            configuration.trustRoots = .certificates([])
        }
        if let file = settings.caFile {
            let path = file.path(percentEncoded: false)
            configuration.additionalTrustRoots = [.certificates(try certificates(path, namedBy: "the CA file setting"))]
        }
        if let authorities = settings.authorities {
            let source = "the file that \(emulatorVariable) names"
            configuration.additionalTrustRoots.append(.certificates(try certificates(Array(authorities), in: source)))
        }
        return configuration
    }

    /// The failure to read a file that these settings name. The result is `nil` if all certificates can be read.
    package static func fault(in settings: HTTPSettings) -> TransportError? {
        do throws(TransportError) {
            _ = try configuration(settings)
            return nil
        } catch {
            return error
        }
    }

    /// Whether there are other authorities than the app's own.
    static func containsAny(_ settings: HTTPSettings) -> Bool {
        settings.environment["SSL_CERT_FILE"]?.isEmpty == false
            || settings.systemHasAuthorities ?? SystemAuthorities.exist
    }

    private static func certificates(
        _ path: String,
        namedBy source: String
    ) throws(TransportError) -> [NIOSSLCertificate] {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try UserFile(path, limit: maximumSize).bytes()
        } catch {
            throw TransportError(
                .untrustedCertificate,
                message: "The file \(path), which \(source) names, \(error.reason). A PEM file is expected."
            )
        }
        return try certificates(bytes, in: "\(path), which \(source) names")
    }

    private static func certificates(_ bytes: [UInt8], in place: String) throws(TransportError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(bytes.withoutByteOrderMark))
            guard certificates.isEmpty else { return certificates }
        } catch {
            throw TransportError(
                .untrustedCertificate,
                message: "The certificates in \(place), cannot be read. A PEM file is expected.",
                underlying: error
            )
        }
        throw TransportError(.untrustedCertificate, message: "No certificate was found in \(place).")
    }

    /// The largest accepted CA file, in bytes. A system's bundle is smaller than 1 MiB.
    private static let maximumSize = 1 << 24
}
