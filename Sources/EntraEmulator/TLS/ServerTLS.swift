// Licensed under the MIT License. See LICENSE.

import NIOCore
import NIOSSL
import Synchronization

/// How the connections of one or more listeners are encrypted, and which clients are asked for a certificate (RFC 8705
/// §2).
///
/// A browser that is asked shows a prompt to its user, so clients that call the platform in the usual way are not
/// asked.
final class ServerTLS: Sendable {
    /// The clients that are asked for a certificate. None of them has to present one.
    enum ClientCertificateRequest: Sendable {
        case noClient
        /// The clients that specify a host for mutual TLS in their first message (RFC 6066 §3).
        case byServerName
        case anyClient
    }

    let question: ClientCertificateRequest
    private let configuration: TLSConfiguration
    private let silent: NIOSSLContext
    /// The context for clients that are asked for a certificate, created for the first one.
    private let asking = Mutex<NIOSSLContext?>(nil)

    /// - Throws: An error of the TLS library if the certificate has no key.
    init(_ configuration: TLSConfiguration, asking question: ClientCertificateRequest = .noClient) throws {
        self.configuration = configuration
        self.question = question
        silent = try NIOSSLContext(configuration: configuration)
    }

    /// The handler of a connection, for the server name that the client sent.
    func handler(for serverName: String?) throws -> NIOSSLServerHandler {
        let isAsked =
            switch question {
            case .noClient: false
            case .byServerName: serverName.map(KnownHosts.isForMutualTLS) ?? false
            case .anyClient: true
            }
        guard isAsked else { return NIOSSLServerHandler(context: silent) }
        // The endpoints identify the owner of the certificate. The library has verified that the client has its key.
        return NIOSSLServerHandler(context: try askingContext()) { _, promise in
            promise.succeed(.certificateVerified)
        }
    }

    private func askingContext() throws -> NIOSSLContext {
        try asking.withLock { context in
            if let context { return context }
            var configuration = configuration
            configuration.certificateVerification = .optionalVerification
            // The default would read all authorities that the system trusts.
            configuration.trustRoots = .certificates([])
            let made = try NIOSSLContext(configuration: configuration)
            context = made
            return made
        }
    }
}
