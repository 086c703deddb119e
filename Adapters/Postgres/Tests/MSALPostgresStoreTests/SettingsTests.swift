// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALPostgresStore
import MSALServer
import NIOSSL
import PostgresNIO
import TestEngines
import Testing

/// The application's configuration of its client and server: TLS, certificates and passwords.
struct SettingsTests {
    let name = MSALStoreName.named("token")

    @Test func `a role can connect with a password and a certificate over TLS`() async throws {
        let folder = try temporaryFolder()
        try await makeCertificates(["server", "web"], in: folder)
        let server = try await PostgresServer(
            listeningIn: folder,
            access: "hostssl all all all scram-sha-256 clientcert=verify-full"
        )
        try await server.ask(
            MSALPostgresStore.migration + "CREATE ROLE web LOGIN PASSWORD 'horse';"
                + "GRANT SELECT, INSERT, UPDATE, DELETE ON msal_token TO web"
        )
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(folder.appending(path: "ca.pem").path)
        let bare = try NIOSSLContext(configuration: tls)
        tls.certificateChain = try NIOSSLCertificate.fromPEMFile(folder.appending(path: "web.pem").path)
            .map { .certificate($0) }
        tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: folder.appending(path: "web.key").path, format: .pem))

        let client = PostgresClient(
            configuration: .init(
                host: "localhost",
                port: server.port,
                username: "web",
                password: "horse",
                database: "postgres",
                tls: .require(tls)
            )
        )
        try await withClient(client) { client in
            let store = try await MSALPostgresStore(checking: client)
            #expect(try await store.write([1, 0, 255], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            #expect(try await store.read([name])[0]?.value == [1, 0, 255])
            let lease = try #require(try await store.lease(on: name, for: .seconds(60)))
            #expect(try await store.lease(on: name, for: .seconds(60)) == nil)
            try await store.release(lease)
            try await store.removeAll(in: name.partition)
            #expect(try await store.read([name]) == [nil])
        }

        // The server requires all three.
        let context = try NIOSSLContext(configuration: tls)
        #expect(await refusal(at: server, "horse", .require(bare)) == "28000")
        #expect(await refusal(at: server, "cow", .require(context)) == "28P01")
        #expect(await refusal(at: server, "horse", .disable) == "28000")
        server.engine.kill()
    }

    /// The error code with which the server rejects a connection; `nil` if it does not.
    private func refusal(
        at server: PostgresServer,
        _ password: String,
        _ tls: PostgresConnection.Configuration.TLS
    ) async -> String? {
        await code {
            let connection = try await PostgresConnection.connect(
                configuration: .init(
                    host: "localhost",
                    port: server.port,
                    username: "web",
                    password: password,
                    database: "postgres",
                    tls: tls
                ),
                id: 1,
                logger: silent
            )
            try await connection.close()
        }
    }
}
