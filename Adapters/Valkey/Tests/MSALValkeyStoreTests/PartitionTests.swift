// Licensed under the MIT License. See LICENSE.
import MSALServer
import MSALValkeyStore
import Testing
import Valkey

/// The lifetime and contents of a partition's hash.
struct PartitionTests {
    @Test func `an access token does not shorten the life of the refresh token next to it`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            let (refresh, access) = (MSALStoreName.named("refresh"), MSALStoreName.named("access"))
            #expect(try await store.write([1], to: refresh, expiresIn: .seconds(90 * 86_400), if: .absent, lease: nil))
            #expect(try await store.write([2], to: access, expiresIn: .seconds(1), if: .absent, lease: nil))

            try await server.wait(seconds: 1.2)

            let found = try await store.read([refresh, access])
            #expect(found[0]?.value == [1])
            let left = try #require(found[0]?.expiresIn)
            #expect(left > .seconds(90 * 86_400 - 600) && left < .seconds(90 * 86_400))
            #expect(found[1] == nil)
            let hash = try #require(Int(try await server.ask("PTTL", "msal:1:{user}")))
            #expect(hash > (90 * 86_400 - 600) * 1000)
        }
    }

    @Test func `a longer-lived token extends the life of the hash`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            #expect(try await store.write([1], to: .named("a"), expiresIn: .seconds(60), if: .absent, lease: nil))
            #expect(try await store.write([2], to: .named("b"), expiresIn: .seconds(7200), if: .absent, lease: nil))
            let hash = try #require(Int(try await server.ask("PTTL", "msal:1:{user}")))
            #expect(hash > 7_000_000)
        }
    }

    @Test func `expired fields are removed from a hash by writes`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            for number in 0..<3 {
                let name = MSALStoreName.named("old-\(number)")
                #expect(try await store.write([1], to: name, expiresIn: .seconds(1), if: .absent, lease: nil))
            }
            #expect(try await store.write([1], to: .named("new"), expiresIn: .seconds(600), if: .absent, lease: nil))
            try await server.wait(seconds: 1.2)

            #expect(try await store.write([2], to: .named("new"), expiresIn: .seconds(600), if: .always, lease: nil))

            #expect(try await server.ask("HKEYS", "msal:1:{user}") == "new")
        }
    }

    @Test func `all keys of a partition have one hash tag`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            let name = MSALStoreName.named("refresh")
            _ = try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil)
            _ = try await store.lease(on: name, for: .seconds(60))
            let keys = try await server.ask("KEYS", "*").split(separator: "\n")
            #expect(keys.count == 2)
            #expect(keys.allSatisfy { $0.hasPrefix("msal:1:{user}") })
        }
    }

    @Test func `two prefixes on one server share no values`() async throws {
        let server = try await ValkeyServer()
        let client = ValkeyClient(server.address, configuration: .patient, logger: silent)
        try await withStore(client) { store in
            let other = MSALValkeyStore(client, prefix: "other:{x}:")
            #expect(other.prefix == "other:x:")
            _ = try await store.write([1], to: .named("a"), expiresIn: .seconds(60), if: .absent, lease: nil)
            #expect(try await other.read([.named("a")]) == [nil])
            try await other.removeAll(in: MSALStorePartition("user"))
            #expect(try await store.read([.named("a")])[0]?.value == [1])
        }
    }

    @Test func `a restarted server without the scripts gets them again`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            _ = try await store.write([1], to: .named("a"), expiresIn: .seconds(60), if: .absent, lease: nil)
            try await server.ask("SCRIPT", "FLUSH")
            #expect(try await store.read([.named("a"), .named("b", in: "second")]).map(\.?.value) == [[1], nil])
            try await server.ask("SCRIPT", "FLUSH")
            #expect(try await store.write([2], to: .named("a"), expiresIn: .seconds(60), if: .always, lease: nil))
        }
    }

    @Test func `a hash with 100 000 fields is read and written like any other`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            _ = try await store.write([1], to: .named("a"), expiresIn: .seconds(60), if: .absent, lease: nil)
            let fill = "for i = 1, 100000 do redis.call('HSET', KEYS[1], i, 'x') end"
            try await server.ask("EVAL", fill, "1", "msal:1:{user}")
            #expect(try await store.read([.named("a")])[0]?.value == [1])
            #expect(try await store.write([2], to: .named("a"), expiresIn: .seconds(60), if: .always, lease: nil))
            try await store.removeAll(in: MSALStorePartition("user"))
            #expect(try await server.ask("EXISTS", "msal:1:{user}") == "0")
        }
    }

    @Test func `a value of another program is treated as missing`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            for text in ["", "plain text", "1 2 3", "9999999999999999 x 0\nvalue", "-1 -1 -1\nvalue"] {
                try await server.ask("HSET", "msal:1:{user}", "a", text)
                #expect(try await store.read([.named("a")]) == [nil])
            }
            #expect(try await store.write([2], to: .named("a"), expiresIn: .seconds(60), if: .absent, lease: nil))
        }
    }

    @Test func `a value that is too long does not fill the reader's memory`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            let script = "redis.call('HSET', KEYS[1], 'a', '1 9000000000000000 0\\n' .. string.rep('x', 10000000))"
            try await server.ask("EVAL", script, "1", "msal:1:{user}")
            #expect(try await store.read([.named("a")])[0]?.value.count == 64 * 1024 + 1)
        }
    }
}
