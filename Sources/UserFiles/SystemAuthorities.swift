// Licensed under the MIT License. See LICENSE.

import Foundation

/// The certificate authorities of the system.
package enum SystemAuthorities {
    #if canImport(Darwin)
        /// Whether the system has any. On macOS, the keychain always has some.
        package static let exist = true
    #else
        /// Whether the system has any. A slim image has none until its package `ca-certificates` is installed.
        ///
        /// These are the paths that NIOSSL checks. If all are missing, its default fails for every server, even for one
        /// whose authority the client specifies.
        package static let exist = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/certs",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    #endif
}
