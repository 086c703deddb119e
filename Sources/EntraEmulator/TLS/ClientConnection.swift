// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOSSL

/// The connection of a request. It knows the address and the certificate of the client.
struct ClientConnection: Sendable {
    let channel: any Channel

    /// The address of the client; `nil` once the connection is closed.
    var address: String? { channel.remoteAddress?.ipAddress }

    /// The certificate that the client showed in the TLS handshake; the client has proved that it has the key. `nil` if
    /// it was not asked, showed none, or showed one without an RSA key.
    func certificate() async -> RegisteredCertificate? {
        // A connection without TLS has no certificate, and a closed one has lost it.
        guard let certificate = try? await channel.nioSSL_peerCertificate().get(),
            let der = try? certificate.toDERBytes()
        else { return nil }
        return RegisteredCertificate(der: Data(der))
    }
}
