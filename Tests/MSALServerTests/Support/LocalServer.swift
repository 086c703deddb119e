// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import Hummingbird
import HummingbirdTLS
import Logging
import NIOSSL
import SwiftASN1
import TestSupport
import Testing
import X509

/// A server on Hummingbird on a port of this machine, for the duration of a test.
enum LocalServer {
    /// Runs the test with the port of the server, and stops the server. With a certificate it uses TLS. With
    /// `asksClients` it requires the same certificate from its clients.
    static func run<Context: RequestContext>(
        _ router: Router<Context>,
        certificate: LocalCertificate? = nil,
        asksClients: Bool = false,
        _ body: (Int) async throws -> Void
    ) async throws where Context.Source == ApplicationRequestContextSource {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = Application(
            router: router,
            server: try certificate.map {
                try .tls(.http1(), tlsConfiguration: try $0.configuration(asksClients: asksClients))
            } ?? .http1(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        // Canceled and awaited below.
        let server = Task { try await application.run() }
        let port = try #require(await ports.first { _ in true })
        let outcome: Result<Void, any Error>
        do {
            try await body(port)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        server.cancel()
        _ = await server.result
        try outcome.get()
    }
}

/// A self-signed certificate for `localhost`. A client with its file trusts only this server.
struct LocalCertificate: Sendable {
    let file: URL
    private let pem: String
    private let key: String

    /// Writes the certificate into the directory.
    init(in directory: URL) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("a test") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date.now.addingTimeInterval(-3600),
            notValidAfter: Date.now.addingTimeInterval(86_400),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        pem = try certificate.serializeAsPEM().pemString
        self.key = key.pemRepresentation
        file = directory.appending(path: "issuer-ca.pem")
        try Data(pem.utf8).write(to: file)
    }

    var parsed: NIOSSLCertificate { get throws { try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem) } }

    func configuration(asksClients: Bool = false) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try parsed)],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        if asksClients {
            configuration.trustRoots = .certificates([try parsed])
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }

    /// A client that presents this certificate, and trusts only it.
    func clientConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try parsed])
        configuration.certificateChain = [.certificate(try parsed)]
        configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        return configuration
    }
}
