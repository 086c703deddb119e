// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOSSL
import Synchronization

/// A fault of the certificate for new connections, to test what a client verifies.
public enum CertificateFault: String, Sendable, CaseIterable {
    /// The certificate expired yesterday.
    case expired
    /// The certificate is valid only for `other.example`.
    case otherName
    /// The certificate is signed with its own key, not by the authority.
    case selfSigned
}

/// The certificate that the platform's listeners present: the valid one of the identity, or one with a fault.
final class PresentedCertificate: Sendable {
    let identity: ServerIdentity
    private let override = Mutex(NIOSSLContextConfigurationOverride.noChanges)

    init(_ identity: ServerIdentity) { self.identity = identity }

    /// Presents a certificate with this fault to all new connections; `nil` presents the valid one.
    func show(_ fault: CertificateFault?) throws {
        let next = try fault.map(identity.override) ?? .noChanges
        override.withLock { $0 = next }
    }

    /// A listener's configuration. Each handshake uses the certificate that is current at that moment.
    var tls: TLSConfiguration {
        var tls = identity.tls
        tls.sslContextCallback = { _, promise in promise.succeed(self.override.withLock { $0 }) }
        return tls
    }
}
