// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALServer
import MSALValkeyStore
import TestEngines
import Testing
import Valkey

/// A failing server: the store throws, and works again when the server does.
struct FaultTests {
    let name = MSALStoreName.named("token")

    func write(_ store: MSALValkeyStore, _ value: [UInt8] = [1]) async throws -> Bool {
        try await store.write(value, to: name, expiresIn: .seconds(600), if: .always, lease: nil)
    }

    /// The value with this name, read in a separate line.
    func expect(
        _ value: [UInt8]?,
        in store: MSALValkeyStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await store.read([name])[0]?.value
        #expect(found == value, sourceLocation: sourceLocation)
    }

    @Test func `a killed server that comes back empty is used again`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore(.frank) { store in
            #expect(try await write(store))
            server.engine.kill()
            #expect(await code { _ = try await store.read([name]) } != nil)
            try await server.engine.start()
            // The first connections after the start may be refused, because they were attempted while it was down.
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect(nil, in: store)
            #expect(try await write(store))
            try await expect([1], in: store)
        }
    }

    @Test func `a call to a paused server ends when it is canceled`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            #expect(try await write(store))
            server.engine.pause()
            let call = Task { try await store.read([name]) }
            call.cancel()
            await #expect(throws: (any Error).self) { try await call.value }
            server.engine.resume()
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect([1], in: store)
        }
    }

    @Test func `a connection that is cut anywhere in a response leads to an error or the response`() async throws {
        let server = try await ValkeyServer()
        let folder = server.engine.folder
        let proxy = try await CuttingProxy(to: folder.appending(path: "socket").path, in: folder)
        var settings = ValkeyClientConfiguration.frank
        settings.connectionPool.maximumConnectionSoftLimit = 1
        settings.connectionPool.maximumConnectionHardLimit = 1
        let client = ValkeyClient(.unixDomainSocket(path: proxy.socket), configuration: settings, logger: silent)
        try await withStore(client) { store in
            let value = [UInt8](repeating: 1, count: 100)
            #expect(try await write(store, value))
            try await expect(value, in: store)
            // The server has all scripts after this call.
            let lease = try #require(try await store.lease(on: name, for: .seconds(60)))
            try await store.release(lease)
            try await eachCut(of: proxy, in: store) { _ in
                let found = try await store.read([name])[0]?.value
                #expect(found == value)
            }
            try await eachCut(of: proxy, in: store) { number in
                let isWritten = try await write(store, [UInt8(truncatingIfNeeded: number)])
                #expect(isWritten)
            }
            try await eachCut(of: proxy, in: store) { number in
                let other = MSALStoreName.named("token-\(number)")
                let lease = try await store.lease(on: other, for: .seconds(60))
                #expect(lease != nil)
            }
        }
    }

    /// Performs an operation once for each byte of its response, after which the connection is cut. Then the store works again.
    private func eachCut(
        of proxy: CuttingProxy,
        in store: MSALValkeyStore,
        _ body: (Int) async throws -> Void
    ) async throws {
        let before = proxy.passed
        try await body(-1)
        let bytes = proxy.passed - before
        #expect(bytes >= 4)
        for number in 0..<bytes {
            proxy.cut(after: number)
            let seen = await code { try await body(number) }
            // Occasionally the response is one digit shorter, and then complete without its last byte.
            #expect(seen != nil || number == bytes - 1, "\(number) of \(bytes)")
            proxy.cut(after: nil)
            while await code(of: { _ = try await store.read([name]) }) != nil {}
        }
    }

    @Test func `a full server rejects writes and still serves reads`() async throws {
        let server = try await ValkeyServer("--maxmemory-policy", "noeviction")
        try await server.withStore { store in
            #expect(try await write(store))
            try await server.ask("CONFIG", "SET", "maxmemory", "1")
            #expect(await code { _ = try await write(store, [2]) } == "OOM")
            try await expect([1], in: store)
            try await store.removeAll(in: name.partition)
            try await expect(nil, in: store)
            try await server.ask("CONFIG", "SET", "maxmemory", "0")
            #expect(try await write(store, [3]))
        }
    }

    @Test func `a key of another type is an error, and is removed when the user signs out`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            try await server.ask("SET", "msal:1:{user}", "text")
            #expect(await code { _ = try await store.read([name]) } == "WRONGTYPE")
            #expect(await code { _ = try await write(store) } == "WRONGTYPE")
            #expect(await code { try await store.remove([name]) } == "WRONGTYPE")
            try await store.removeAll(in: name.partition)
            #expect(try await write(store))
        }
    }

    @Test func `a server that is loading its data is an error until it has finished`() async throws {
        let folder = try temporaryFolder()
        let first = try await ValkeyServer("--rdbchecksum", "no", folder: folder)
        #expect(try await first.withStore { try await write($0) })
        try await first.ask("SAVE")
        first.engine.kill()
        try divideData(in: folder)
        // The data come through a pipe, and continue until the test has seen the error.
        try await output(of: "mkfifo", [folder.appending(path: "piped.rdb").path])
        let script = "{ cat data; while [ ! -e enough ]; do cat more; done; cat end; } > piped.rdb"
        async let data = output(of: "timeout", ["60", "sh", "-c", "cd '\(folder.path)'; \(script)"])
        let engine = try await Engine(
            ValkeyServer.program,
            arguments: [
                "--port", "0", "--unixsocket", "socket", "--dbfilename", "piped.rdb", "--save", "",
                "--loading-process-events-interval-bytes", "1024",
            ],
            folder: folder,
            readyText: "loading rdb"
        )
        let client = ValkeyClient(
            .unixDomainSocket(path: folder.appending(path: "socket").path),
            configuration: .frank,
            logger: silent
        )
        try await withStore(client) { store in
            while await code(of: { _ = try await store.read([name]) })?.contains("LOADING") != true {}
            try Data().write(to: folder.appending(path: "enough"))
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect([1], in: store)
        }
        _ = try await data
        engine.kill()
    }

    /// Splits a server's file into the part before its end, and the end. `more` may be inserted between them any number of
    /// times: notes that servers do not know and skip.
    func divideData(in folder: URL) throws {
        let file = try Data(contentsOf: folder.appending(path: "dump.rdb"))
        // The end is one byte, and eight for an unrequested checksum.
        let note = Data([0xFA, 1, UInt8(ascii: "x"), 0x43, 0xE8]) + Data(count: 1000)
        try file.dropLast(9).write(to: folder.appending(path: "data"))
        try file.suffix(9).write(to: folder.appending(path: "end"))
        try Data(repeatElement(note, count: 64).joined()).write(to: folder.appending(path: "more"))
    }

    @Test func `a server that is busy with another client's script is an error until it is done`() async throws {
        let server = try await ValkeyServer("--lua-time-limit", "1")
        try await server.withStore(.frank) { store in
            #expect(try await write(store))
            async let loop = server.ask("EVAL", "while true do end", "0")
            while try await server.ask("PING") == "PONG" {}
            #expect(await code { _ = try await store.read([name]) } == "BUSY")
            try await server.ask("SCRIPT", "KILL")
            _ = try await loop
            try await expect([1], in: store)
        }
    }

    @Test func `a password that is required later is an error`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore(.frank) { store in
            #expect(try await write(store))
            try await server.ask("CONFIG", "SET", "requirepass", "horse")
            try await server.ask("-a", "horse", "CLIENT", "KILL", "TYPE", "normal")
            let seen = await code { _ = try await store.read([name]) }
            // The driver gets `NOAUTH` while connecting, and only reports that it cannot connect.
            #expect(seen != nil)
            try await server.ask("-a", "horse", "CONFIG", "SET", "requirepass", "")
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect([1], in: store)
        }
    }

    @Test func `writes to a replica are errors, and reads work`() async throws {
        let primary = try await ValkeyServer()
        let port = try await freePort()
        try await primary.ask("CONFIG", "SET", "port", String(port))
        let replica = try await ValkeyServer("--replicaof", "127.0.0.1 \(port)")
        #expect(try await primary.withStore { try await write($0) })
        #expect(try await primary.ask("WAIT", "1", "60000") == "1")

        var settings = ValkeyClientConfiguration.frank
        settings.connectingToReplica = true
        settings.enableClientCapaRedirect = false
        try await replica.withStore(settings) { store in
            try await expect([1], in: store)
            #expect(await code { _ = try await write(store, [2]) } == "READONLY")
            #expect(await code { _ = try await store.lease(on: name, for: .seconds(5)) } == "READONLY")
        }
    }
}
