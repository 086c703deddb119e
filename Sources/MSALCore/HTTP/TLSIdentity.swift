// Licensed under the MIT License. See LICENSE.

import NIOSSL

/// The certificate that a client shows in the TLS handshake, with its key (RFC 8446 §4.4.2). Its description holds no key.
package struct TLSIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name of the certificate. Two identities are equal if these are.
    package let thumbprint: String
    private let chain: [[UInt8]]
    private let key: [UInt8]

    /// `chain` has the certificate and its issuers, `key` the private key, all in DER.
    package init(thumbprint: String, chain: [[UInt8]], key: [UInt8]) {
        self.thumbprint = thumbprint
        self.chain = chain
        self.key = key
    }

    /// A configuration that shows this certificate to servers that ask for one.
    ///
    /// - Throws: `.tlsHandshake` if the TLS library cannot use certificate or key.
    func added(to configuration: TLSConfiguration) throws(TransportError) -> TLSConfiguration {
        var configuration = configuration
        do {
            configuration.certificateChain = try chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der))
        } catch {
            throw TransportError(
                .tlsHandshake,
                message: "The client's certificate or its key cannot be used for TLS.",
                underlying: error
            )
        }
        return configuration
    }

    package static func == (left: TLSIdentity, right: TLSIdentity) -> Bool { left.thumbprint == right.thumbprint }

    package func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }

    package var description: String { "TLSIdentity(\(thumbprint))" }
    package var customMirror: Mirror { Mirror(self, children: ["thumbprint": thumbprint]) }
}
