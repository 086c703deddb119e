// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALCore
import MSALServer
import Testing

/// A service with a certificate, with the emulator, over TLS and mutual TLS.
struct CertificateEndToEndTests {
    private static let client = "00000000-0000-4000-8000-000000000010"
    private static let graph = "https://graph.microsoft.com/.default"

    /// Runs an emulator in which the service has the certificate `leaf`, by itself or by its issuer and subject.
    private func run(
        registered certificate: EmulatorDirectory.ClientCertificate,
        _ body: (Emulator) async throws -> Void
    ) async throws {
        try await ServerEmulator.run(
            { configuration in
                let index = configuration.directory.applications.firstIndex { $0.clientID == Self.client }
                configuration.directory.applications[index ?? 0].certificates = [certificate]
                configuration.mutualTLSPort = 0
            },
            body
        )
    }

    private func application(
        _ emulator: Emulator,
        credential: MSALClientCredential
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: Self.client,
            authority: .url(try #require(URL(string: "https://localhost:\(emulator.port)/contoso.example"))),
            credential: credential
        )
        configuration.mutualTLSURL = emulator.mutualTLSURL
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .sockets(caFile: emulator.certificateAuthorityFile)
        )
    }

    private func claims(_ token: String) throws -> [String: MSALBase.JSONValue] {
        let parts = token.split(separator: ".")
        let payload = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
        return try #require(MSALBase.JSONValue(parsing: payload)?.object)
    }

    @Test func `a certificate in the TLS handshake gets a bearer token, without an assertion`() async throws {
        try await run(registered: .init(pem: try CertificateFixture.pem("leaf"))) { emulator in
            let application = try application(emulator, credential: .mutualTLS(try CertificateFixture.leaf()))

            let token = try await application.acquireTokenForClient(scopes: [Self.graph])

            #expect(token.tokenType == "Bearer")
            #expect(try claims(token.accessToken)["cnf"] == nil)
            #expect(try claims(token.accessToken)["appidacr"]?.string == "2")
        }
    }

    @Test func `an assertion with a certificate gets a token`() async throws {
        try await run(registered: .init(pem: try CertificateFixture.pem("leaf"))) { emulator in
            let application = try application(emulator, credential: .certificate(try CertificateFixture.leaf()))

            let token = try await application.acquireTokenForClient(scopes: [Self.graph])

            #expect(try claims(token.accessToken)["appidacr"]?.string == "2")
        }
    }

    @Test func `a certificate that is registered by its issuer is sent with its chain`() async throws {
        let registered = EmulatorDirectory.ClientCertificate(
            pem: try CertificateFixture.pem("intermediate"),
            subject: "fixture leaf"
        )
        try await run(registered: registered) { emulator in
            let application = try application(emulator, credential: .certificate(try CertificateFixture.leaf()))
            var options = MSALTokenOptions()
            options.sendsCertificateChain = true

            let token = try await application.acquireTokenForClient(scopes: [Self.graph], options: options)

            #expect(token.source == .service)
        }
    }

    @Test func `a certificate that is not registered is rejected with its thumbprint`() async throws {
        try await run(registered: .init(pem: try CertificateFixture.pem("other"))) { emulator in
            let certificate = try CertificateFixture.leaf()
            let application = try application(emulator, credential: .certificate(certificate))

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireTokenForClient(scopes: [Self.graph])
            }

            #expect(error.kind == .invalidClient)
            #expect(error.message.contains(certificate.thumbprint))
        }
    }

    @Test func `a bound token contains the thumbprint of the certificate in the handshake`() async throws {
        try await run(registered: .init(pem: try CertificateFixture.pem("leaf"))) { emulator in
            let certificate = try CertificateFixture.leaf()
            let application = try application(emulator, credential: .certificate(certificate))
            var options = MSALTokenOptions()
            options.isBoundToCertificate = true

            let token = try await application.acquireTokenForClient(scopes: [Self.graph], options: options)

            #expect(token.tokenType == "mtls_pop")
            #expect(token.bindingThumbprint == certificate.thumbprint)
            let confirmation = try claims(token.accessToken)["cnf"]?.object
            #expect(confirmation?["x5t#S256"]?.string == certificate.thumbprint)
        }
    }

    @Test func `connections of one certificate are not used for requests of another`() async throws {
        try await run(registered: .init(pem: try CertificateFixture.pem("leaf"))) { emulator in
            let environment = ServerEnvironment.sockets(caFile: emulator.certificateAuthorityFile)
            var options = MSALTokenOptions()
            options.isBoundToCertificate = true
            func call(_ certificate: MSALClientCertificate) async throws(MSALTokenError) -> MSALTokenResult {
                var configuration = MSALConfidentialClientConfiguration(
                    clientId: Self.client,
                    authority: .url("https://localhost:\(emulator.port)/contoso.example"),
                    credential: .certificate(certificate)
                )
                configuration.mutualTLSURL = emulator.mutualTLSURL
                let application = try MSALConfidentialClientApplication(
                    configuration: configuration,
                    environment: environment
                )
                return try await application.acquireTokenForClient(scopes: [Self.graph], options: options)
            }
            let (registered, stranger) = (try CertificateFixture.leaf(), try CertificateFixture.other())
            _ = try await call(registered)

            let error = try await failure { () async throws(MSALTokenError) in try await call(stranger) }

            #expect(error.kind == .invalidClient)
        }
    }
}
