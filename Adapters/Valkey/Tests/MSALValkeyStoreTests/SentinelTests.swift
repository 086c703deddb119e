// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALServer
import MSALValkeyStore
import Synchronization
import TestEngines
import Testing
import Valkey

/// A primary with a replica, and three Sentinels that promote it. The driver does not support them: the application queries the
/// primary's address, and creates a new client when it changes, as in docs/services/SharedStore.md.
struct SentinelTests {
    private let name = MSALStoreName.named("token")

    @Test(.timeLimit(.minutes(5)))
    func `a client for the new primary continues where the old one ended`() async throws {
        let (port, replicaPort) = (try await freePort(), try await freePort())
        let primary = try await ValkeyServer("--port", String(port))
        let replica = try await ValkeyServer(
            "--port",
            String(replicaPort),
            "--replicaof",
            "127.0.0.1 \(port)",
            "--repl-diskless-sync-delay",
            "0"
        )
        try await replica.until("INFO", "replication", has: "master_link_status:up")
        var sentinels: [Sentinel] = []
        for _ in 0..<3 { sentinels.append(try await Sentinel(of: port)) }
        for sentinel in sentinels {
            try await sentinel.until("CKQUORUM", has: "OK 3 usable")
            try await sentinel.until("REPLICAS", has: String(replicaPort))
        }

        let first = client(try await sentinels[0].primary())
        let current = Mutex(first)
        let store = MSALValkeyStore(current: { current.withLock { $0 } })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await first.run() }
            #expect(try await store.write([1], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
            #expect(try await primary.ask("WAIT", "1", "60000") == "1")

            primary.engine.kill()
            #expect(await code { _ = try await store.read([name]) } != nil)
            while try await sentinels[0].primary() == port {}
            let second = client(try await sentinels[0].primary())
            group.addTask { await second.run() }
            current.withLock { $0 = second }

            #expect(try await sentinels[0].primary() == replicaPort)
            while await code(of: { _ = try await store.read([name]) }) != nil, !Task.isCancelled {}
            #expect(try await store.read([name])[0]?.value == [1])
            #expect(try await store.write([2], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
            #expect(try await store.lease(on: name, for: .seconds(60)) != nil)
            group.cancelAll()
        }
        for sentinel in sentinels { sentinel.engine.kill() }
        replica.engine.kill()
    }

    private func client(_ port: Int) -> ValkeyClient {
        ValkeyClient(.hostname("127.0.0.1", port: port), configuration: .frank, logger: silent)
    }
}

/// A process that monitors the primary `shop`.
private struct Sentinel {
    let engine: Engine
    private let port: Int

    init(of primary: Int) async throws {
        let (folder, port) = (try temporaryFolder(), try await freePort())
        let file = folder.appending(path: "sentinel.conf")
        // Sentinels write their state into this file.
        let settings = """
            port \(port)
            dir \(folder.path)
            pidfile \(folder.appending(path: "server.pid").path)
            sentinel monitor shop 127.0.0.1 \(primary) 2
            sentinel down-after-milliseconds shop 1000
            sentinel failover-timeout shop 5000

            """
        try Data(settings.utf8).write(to: file)
        self.port = port
        engine = try await Engine(
            ValkeyServer.program,
            arguments: [file.path, "--sentinel"],
            folder: folder,
            readyText: "+monitor master shop"
        )
    }

    /// A response about the primary; an error is returned as its text.
    private func ask(_ question: String) async throws -> String {
        try await output(of: "redis-cli", ["-p", String(port), "SENTINEL", question, "shop"])
    }

    func until(_ question: String, has text: String) async throws {
        while !(try await ask(question)).contains(text) {}
    }

    /// The port of the primary.
    func primary() async throws -> Int {
        let lines = try await ask("GET-MASTER-ADDR-BY-NAME").split(separator: "\n")
        return Int(lines.last ?? "") ?? 0
    }
}
