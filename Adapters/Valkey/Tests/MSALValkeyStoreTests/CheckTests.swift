// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALServer
import MSALValkeyStore
import TestEngines
import Testing
import Valkey

/// A store that is checked before it is used: what is wrong with the server, the network, or the user is named.
struct CheckTests {
    private static let commands = [
        "eval", "evalsha", "time", "hget", "hset", "hdel", "hrandfield", "pttl", "pexpire", "exists", "get", "set",
        "del",
        "unlink",
    ]

    /// The reason why no store is made; `nil` if one is. `finally` runs before the client ends.
    private func refusal(
        at address: ValkeyServerAddress,
        _ settings: ValkeyClientConfiguration = .patient,
        timeLimit: Duration = .seconds(60),
        finally: @Sendable () -> Void = {}
    ) async throws -> MSALValkeyConnectionError? {
        let connections = MSALValkeyConnectionLog(silent)
        let client = ValkeyClient(address, configuration: settings, logger: connections.logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer {
                finally()
                group.cancelAll()
            }
            do {
                _ = try await MSALValkeyStore(checking: client, connections: connections, timeLimit: timeLimit)
                return nil
            } catch let error as MSALValkeyConnectionError {
                return error
            }
        }
    }

    private func settings(password: String) -> ValkeyClientConfiguration {
        var settings = ValkeyClientConfiguration.patient
        settings.authentication = .init(username: "msal", password: password)
        return settings
    }

    /// A server with a user that may run these commands.
    private func server(commands: [String]) async throws -> ValkeyServer {
        let server = try await ValkeyServer()
        let rules = ["on", ">horse", "~msal:1:*", "+hello", "+client", "+role", "+ping"] + commands.map { "+\($0)" }
        try await server.ask(["ACL", "SETUSER", "msal"] + rules)
        return server
    }

    @Test func `a user with the documented rights passes, and nothing stays in the server`() async throws {
        let server = try await server(commands: Self.commands)

        #expect(try await refusal(at: server.address, settings(password: "horse")) == nil)
        #expect(try await server.ask("DBSIZE") == "0")
    }

    @Test func `a wrong password is named`() async throws {
        let server = try await server(commands: Self.commands)
        let refusal = try #require(try await refusal(at: server.address, settings(password: "cow")))

        #expect(refusal.reason == .signInRefused)
        #expect(!"\(refusal)".contains("cow"))
    }

    @Test func `a password that is missing is named`() async throws {
        let server = try await ValkeyServer("--requirepass", "horse")

        #expect(try await refusal(at: server.address)?.reason == .signInRefused)
    }

    @Test(arguments: ["unlink", "hset", "evalsha"])
    func `a missing right is named`(command: String) async throws {
        let server = try await server(commands: Self.commands.filter { $0 != command })
        let refusal = try #require(try await refusal(at: server.address, settings(password: "horse")))

        #expect(refusal.reason == .rightsMissing, "\(refusal)")
    }

    @Test func `a server that is not there is named`() async throws {
        let nowhere = try temporaryFolder().appending(path: "socket").path

        let refusal = try await refusal(at: .unixDomainSocket(path: nowhere), timeLimit: .seconds(5))
        #expect(refusal?.reason == .unreachable)
    }

    @Test func `a server that hangs ends the check`() async throws {
        let server = try await ValkeyServer()
        server.engine.pause()

        let refusal = try await refusal(at: server.address, timeLimit: .seconds(1)) { server.engine.resume() }
        #expect([.timedOut, .unreachable].contains(refusal?.reason))
    }

    @Test func `a password that becomes wrong later is logged as that`() async throws {
        let server = try await ValkeyServer()
        let warnings = Warnings()
        let connections = MSALValkeyConnectionLog(warnings.logger)
        let client = ValkeyClient(server.address, configuration: .frank, logger: connections.logger)
        try await withStore(client) { store in
            _ = try await store.read([.named("token")])
            #expect(warnings.all == [])
            try await server.ask("CONFIG", "SET", "requirepass", "horse")
            try await server.ask("-a", "horse", "CLIENT", "KILL", "TYPE", "normal")
            while warnings.all.isEmpty { _ = await code { _ = try await store.read([.named("token")]) } }
            #expect(warnings.all.allSatisfy { $0.contains("refuses the user or its password") })
        }
    }
}
