// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALServer
import MSALStoreConformance
import MSALValkeyStore
import TestEngines
import Testing
import Valkey

/// Three nodes with a replica each.
struct ClusterTests {
    private let name = MSALStoreName.named("token")
    private let key = "msal:1:{user}"

    @Test(.timeLimit(.minutes(10)))
    func `the store conforms to its protocol in a cluster, while a slot moves, and when a node is lost`() async throws {
        let cluster = try await Cluster()
        let client = ValkeyClusterClient(
            nodeDiscovery: ValkeyStaticNodeDiscovery(
                cluster.ports.map { ValkeyStaticNodeDiscovery.NodeDescription(endpoint: "127.0.0.1", port: $0) }
            ),
            configuration: ValkeyClusterClientConfiguration(client: .frank, clusterRefreshInterval: .seconds(1)),
            logger: silent
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            let store = MSALValkeyStore(client)
            for check in MSALStoreConformance.checks {
                do {
                    try await MSALStoreConformance(store, time: .real).run(check)
                } catch {
                    Issue.record("\(check): \(error)")
                }
            }
            try await readsFromAllNodes(store, in: cluster)
            try await followsASlot(store, in: cluster)
            try await outlivesANode(store, in: cluster)
            group.cancelAll()
        }
        cluster.stop()
    }

    /// Names in as many partitions are on each of the nodes, and are read in one call.
    private func readsFromAllNodes(_ store: MSALValkeyStore, in cluster: Cluster) async throws {
        let names = (0..<24).map { MSALStoreName.named("token", in: "user-\($0)") }
        for name in names {
            #expect(try await store.write([1], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
        }
        #expect(try await store.read(names).map(\.?.value) == Array(repeating: [1], count: 24))
        for node in cluster.primaries { #expect(try await node.ask("DBSIZE") != "0") }
        try await store.remove(names)
        #expect(try await store.read(names) == Array(repeating: nil, count: 24))
    }

    /// While a slot moves, its old node redirects the client with `ASK`, and afterwards with `MOVED`.
    private func followsASlot(_ store: MSALValkeyStore, in cluster: Cluster) async throws {
        #expect(try await store.write([1], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
        let from = try #require(try await cluster.place(of: key))
        let to = (from + 1) % 3
        let (source, target) = (cluster.servers[from], cluster.servers[to])
        let slot = try await source.ask("CLUSTER", "KEYSLOT", key)
        let (sourceID, targetID) = (try await source.ask("CLUSTER", "MYID"), try await target.ask("CLUSTER", "MYID"))
        try await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", sourceID)
        try await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", targetID)
        let moved = try await source.ask(
            ["MIGRATE", "127.0.0.1", String(cluster.ports[to]), "", "0", "5000", "KEYS"]
                + source.ask("CLUSTER", "GETKEYSINSLOT", slot, "100").split(separator: "\n").map(String.init)
        )
        #expect(moved == "OK")
        #expect(try await source.ask("EXISTS", key).hasPrefix("ASK"))
        #expect(try await store.read([name])[0]?.value == [1])
        for node in cluster.primaries { try await node.ask("CLUSTER", "SETSLOT", slot, "NODE", targetID) }
        #expect(try await source.ask("EXISTS", key).hasPrefix("MOVED"))
        #expect(try await store.read([name])[0]?.value == [1])
        #expect(try await store.write([2], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
    }

    /// The replica of a killed node takes over, with its data.
    ///
    /// While the killed node is down, Redis 7.0 lists it as a shard without slots. valkey-swift 1.4.0 cannot parse this list,
    /// and finds the successor only when the node is back as a replica.
    private func outlivesANode(_ store: MSALValkeyStore, in cluster: Cluster) async throws {
        let lost = try #require(try await cluster.place(of: key))
        #expect(try await cluster.servers[lost].ask("WAIT", "1", "60000") == "1")
        cluster.servers[lost].engine.kill()
        while try await cluster.place(of: key, except: lost) == nil {}
        try await cluster.servers[lost].engine.start()
        // A lease is a write, which only the successor accepts.
        let other = MSALStoreName.named("another")
        while await code(of: { _ = try await store.lease(on: other, for: .seconds(1)) }) != nil, !Task.isCancelled {}
        #expect(try await store.read([name])[0]?.value == [2])
        #expect(try await store.write([3], to: name, expiresIn: .seconds(600), if: .always, lease: nil))
        let lease = try #require(try await store.lease(on: name, for: .seconds(60)))
        try await store.release(lease)
    }
}

/// Six servers: three primaries and then their replicas.
private struct Cluster {
    let servers: [ValkeyServer]
    let ports: [Int]
    var primaries: ArraySlice<ValkeyServer> { servers.prefix(3) }

    init() async throws {
        var servers: [ValkeyServer] = []
        var ports: [Int] = []
        while servers.count < 6 {
            let port = try await freePort()
            // The nodes communicate on a port that is higher by 10,000.
            guard port <= 55_535 else { continue }
            servers.append(
                try await ValkeyServer(
                    "--port",
                    String(port),
                    "--cluster-enabled",
                    "yes",
                    "--cluster-node-timeout",
                    "2000",
                    "--cluster-replica-validity-factor",
                    "0",
                    "--repl-diskless-sync-delay",
                    "0"
                )
            )
            ports.append(port)
        }
        (self.servers, self.ports) = (servers, ports)
        try await output(
            of: "redis-cli",
            ["--cluster", "create"] + ports.map { "127.0.0.1:\($0)" } + ["--cluster-replicas", "1", "--cluster-yes"]
        )
        for server in servers { try await server.until("CLUSTER", "INFO", has: "cluster_state:ok") }
        for server in servers.suffix(3) {
            try await server.until("INFO", "replication", has: "master_link_status:up")
        }
    }

    /// The number of the server that has a key and serves it; `nil` if none does.
    func place(of key: String, except lost: Int? = nil) async throws -> Int? {
        for index in servers.indices where index != lost {
            if try await servers[index].ask("EXISTS", key) == "1" { return index }
        }
        return nil
    }

    func stop() {
        for server in servers { server.engine.kill() }
    }
}
