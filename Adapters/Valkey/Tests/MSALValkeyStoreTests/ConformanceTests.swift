// Licensed under the MIT License. See LICENSE.
import MSALStoreConformance
import MSALValkeyStore
import Testing
import Valkey

/// The requirements on every store.
struct ConformanceTests {
    @Test func `the store conforms to its protocol in the server's time`() async throws {
        let server = try await ValkeyServer()
        try await server.withStore { store in
            for check in MSALStoreConformance.checks {
                await record(check) { try await MSALStoreConformance(store, time: .real).run(check) }
            }
        }
    }

    @Test func `the store conforms to its protocol over weeks`() async throws {
        let server = try await ValkeyServer()
        let moved = MSALStoreConformance.Time.moved { duration in
            try await server.ask("EVAL", Self.move, "0", String(Int(duration / .milliseconds(1))))
        }
        try await server.withStore { store in
            for check in MSALStoreConformance.allChecks {
                await record(check) { try await MSALStoreConformance(store, time: moved).run(check) }
            }
        }
    }

    private func record(_ check: MSALStoreConformance.Check, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            Issue.record("\(check): \(error)")
        }
    }

    /// Moves all expiries closer, those of the server and those in the fields, and removes what has expired, as the server
    /// would.
    private static let move = """
        local passed = tonumber(ARGV[1])
        for _, key in ipairs(redis.call('KEYS', '*')) do
            local left = redis.call('PTTL', key) - passed
            if left <= 0 then
                redis.call('DEL', key)
            else
                redis.call('PEXPIRE', key, string.format('%.0f', left))
                if redis.call('TYPE', key).ok == 'hash' then
                    local fields = redis.call('HGETALL', key)
                    for index = 1, #fields, 2 do
                        local version, ends, rest = string.match(fields[index + 1], '^(%d+) (%d+)(.*)$')
                        local moved = string.format('%.0f', ends - passed * 1000)
                        redis.call('HSET', key, fields[index], version .. ' ' .. moved .. rest)
                    end
                end
            end
        end
        """
}
