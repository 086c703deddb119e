// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALServer
import MSALValkeyStore
import NIOSSL
import TestEngines
import Testing
import Valkey

/// The application's configuration of its client and server: TLS and users.
struct SettingsTests {
    let name = MSALStoreName.named("token")

    func roundTrip(_ store: MSALValkeyStore, line: Int = #line) async throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        let other = MSALStoreName.named("token", in: "another")
        for name in [name, other] {
            let written = try await store.write(
                [1, 0, 255],
                to: name,
                expiresIn: .seconds(600),
                if: .absent,
                lease: nil
            )
            #expect(written, sourceLocation: location)
        }
        let read = try await store.read([name, other, .named("none", in: "third")]).map(\.?.value)
        #expect(read == [[1, 0, 255], [1, 0, 255], nil], sourceLocation: location)
        let lease = try #require(try await store.lease(on: name, for: .seconds(60)), sourceLocation: location)
        #expect(try await store.lease(on: name, for: .seconds(60)) == nil, sourceLocation: location)
        try await store.release(lease)
        try await store.remove([name, other])
        try await store.removeAll(in: other.partition)
        #expect(try await store.read([name, other]) == [nil, nil], sourceLocation: location)
    }

    @Test func `the documented permissions of a user are sufficient`() async throws {
        let server = try await ValkeyServer()
        let commands = [
            "eval", "evalsha", "time", "hget", "hset", "hdel", "hrandfield", "pttl", "pexpire", "exists", "get", "set",
            "del",
            "unlink",
        ]
        // The driver's own commands: hello, client, role, ping.
        let rules =
            ["on", ">horse", "~msal:1:*", "+hello", "+client", "+role", "+ping"] + commands.map { "+\($0)" }
        try await server.ask(["ACL", "SETUSER", "msal"] + rules)
        var settings = ValkeyClientConfiguration.patient
        settings.authentication = .init(username: "msal", password: "horse")
        try await server.withStore(settings) { try await roundTrip($0) }
        let other = ValkeyClient(server.address, configuration: settings, logger: silent)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await other.run() }
            let elsewhere = MSALValkeyStore(other, prefix: "elsewhere:")
            await #expect(throws: ValkeyClientError.self) { try await elsewhere.read([name]) }
            group.cancelAll()
        }
    }

    @Test func `a client can connect over TLS with its certificate`() async throws {
        let folder = try temporaryFolder()
        try await makeCertificates(["server", "client"], in: folder)
        let port = try await freePort()
        let server = try await ValkeyServer(
            "--tls-port",
            String(port),
            "--tls-ca-cert-file",
            "ca.pem",
            "--tls-cert-file",
            "server.pem",
            "--tls-key-file",
            "server.key",
            "--tls-auth-clients",
            "yes",
            folder: folder
        )
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(folder.appending(path: "ca.pem").path)
        tls.certificateChain = try NIOSSLCertificate.fromPEMFile(folder.appending(path: "client.pem").path)
            .map { .certificate($0) }
        tls.privateKey = .privateKey(
            try NIOSSLPrivateKey(file: folder.appending(path: "client.key").path, format: .pem)
        )
        var settings = ValkeyClientConfiguration.patient
        settings.tls = try .enable(tls, tlsServerName: "localhost")
        try await withStore(
            ValkeyClient(.hostname("localhost", port: port), configuration: settings, logger: silent)
        ) { store in
            try await roundTrip(store)
        }

        // Without its certificate the client cannot connect.
        tls.certificateChain = []
        tls.privateKey = nil
        settings = .frank
        settings.tls = try .enable(tls, tlsServerName: "localhost")
        try await withStore(
            ValkeyClient(.hostname("localhost", port: port), configuration: settings, logger: silent)
        ) { store in
            _ = await #expect(throws: (any Error).self) { try await store.read([name]) }
        }
        server.engine.kill()
    }
}
