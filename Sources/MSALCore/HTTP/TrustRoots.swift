// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOSSL

/// Whom the TLS client trusts: the system's authorities, or those of `SSL_CERT_FILE` in their place, as OpenSSL reads
/// that variable, and the app's own CA file in addition (docs/reference/Protocol.md#trust).
package enum TrustRoots {
    /// A client configuration with these roots.
    ///
    /// - Throws: `.untrustedCertificate` if a named file cannot be read; correct the path or the file.
    static func configuration(_ settings: HTTPSettings) throws(TransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2 the key exchanges with forward secrecy alone (RFC 9325 §4.1); TLS 1.3 has no other.
        configuration.cipherSuites = "ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES256:ECDH+AES128:!aNULL:!eNULL"
        if let file = settings.environment["SSL_CERT_FILE"], !file.isEmpty {
            configuration.trustRoots = .certificates(try certificates(file, namedBy: "SSL_CERT_FILE"))
        }
        if let file = settings.caFile {
            let path = file.path(percentEncoded: false)
            configuration.additionalTrustRoots = [.certificates(try certificates(path, namedBy: "the CA file setting"))]
        }
        return configuration
    }

    /// What is wrong with the files that these settings name, in words; `nil` if all their certificates can be read.
    package static func fault(in settings: HTTPSettings) -> TransportError? {
        do throws(TransportError) {
            _ = try configuration(settings)
            return nil
        } catch {
            return error
        }
    }

    private static func certificates(
        _ path: String,
        namedBy source: String
    ) throws(TransportError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            guard !certificates.isEmpty else {
                throw TransportError(
                    .untrustedCertificate,
                    message: "No certificate is in \(path), which \(source) names."
                )
            }
            return certificates
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(
                .untrustedCertificate,
                message: "The certificates in \(path), which \(source) names, cannot be read; a PEM file is expected.",
                underlying: error
            )
        }
    }
}
