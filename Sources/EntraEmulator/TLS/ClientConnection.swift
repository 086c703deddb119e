// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOSSL

/// The connection of a request, with the address and the certificate of the client.
struct ClientConnection: Sendable {
    let channel: any Channel

    /// The address of the client; `nil` once the connection is closed.
    var address: String? { channel.remoteAddress?.ipAddress }

    /// The certificate that the client presented in the TLS handshake, proving possession of its key. `nil` if none was
    /// requested or presented, or if it has no RSA key.
    func certificate() async -> RegisteredCertificate? {
        // A connection without TLS has no certificate, and a closed one no longer has one.
        guard let certificate = try? await channel.nioSSL_peerCertificate().get(),
            let der = try? certificate.toDERBytes()
        else { return nil }
        return RegisteredCertificate(der: Data(der))
    }
}
