// Licensed under the MIT License. See LICENSE.

import Foundation

/// The certificate authorities that the system has.
package enum SystemAuthorities {
    #if canImport(Darwin)
        /// Whether the system has any. On macOS they are always there, in the keychain.
        package static let exist = true
    #else
        /// Whether the system has any. A slim image has none until its package `ca-certificates` is installed.
        ///
        /// These are the places where NIOSSL looks. Where all are missing, its default fails for every server, also for one
        /// whose authority the client names itself.
        package static let exist = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/certs",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    #endif
}
