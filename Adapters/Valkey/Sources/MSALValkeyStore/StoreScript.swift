// Licensed under the MIT License. See LICENSE.
import Crypto
import Valkey

/// A Lua script that the server caches under the SHA-1 of its text.
///
/// The server runs a script without any other command in between, so that a comparison and the write that depends on it are
/// atomic. All keys of a script have the same hash tag: in a cluster they are on the same node.
struct StoreScript: Sendable {
    let text: String
    let digest: String

    init(_ text: String) {
        self.text = text
        digest = Insecure.SHA1.hash(data: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

extension StoreScript {
    // A field of a partition's hash contains `version end lease`, each a decimal number, a line feed, and the value.
    // `end` is in microseconds of the server's clock. `lease` is the number of the last lease that wrote, or 0.
    // A number of microseconds since 1970 has 51 bits, and Lua represents integers exactly up to 53 bits.
    private static let common = """
        local function now()
            local time = redis.call('TIME')
            return time[1] * 1000000 + time[2]
        end
        local function header(stored)
            if not stored then return nil end
            local version, ends, lease, start = string.match(stored, '^(%d+) (%d+) (%d+)\\n()')
            if not version then return nil end
            return tonumber(version), tonumber(ends), tonumber(lease), start
        end
        local function digits(number) return string.format('%.0f', number) end

        """

    /// Returns version, microseconds left and value of each field in `ARGV[2…]`, and three nulls for a field that is missing or
    /// has expired. Of a value above the maximum length it returns the first `ARGV[1]` bytes: too many, so that the reader
    /// rejects it, and few enough for the reader's memory.
    static let read = StoreScript(
        common + """
            local time, answer = now(), {}
            for index = 2, #ARGV do
                local stored = redis.call('HGET', KEYS[1], ARGV[index])
                local version, ends, lease, start = header(stored)
                local at = 3 * (index - 2)
                if version and ends > time then
                    answer[at + 1] = digits(version)
                    answer[at + 2] = digits(ends - time)
                    answer[at + 3] = string.sub(stored, start, start + ARGV[1] - 1)
                else
                    for place = at + 1, at + 3 do answer[place] = false end
                end
            end
            return answer
            """
    )

    /// Sets the field `ARGV[1]` to `ARGV[2]` for `ARGV[3]` microseconds. The condition `ARGV[4]` is `always`, `absent` or a
    /// version; `ARGV[5]` is the number of the writer's lease, or 0. Returns 1, or 0 if the condition does not hold or a
    /// later lease has written.
    ///
    /// The hash lives as long as its longest-lived field: a write raises its expiry and never lowers it. Four other random
    /// fields are checked as well and deleted if they have expired, so that a hash does not accumulate them.
    static let write = StoreScript(
        common + """
            local time = now()
            local version, ends, lease = header(redis.call('HGET', KEYS[1], ARGV[1]))
            local present = version ~= nil and ends > time
            local by = tonumber(ARGV[5])
            if ARGV[4] == 'absent' then
                if present then return 0 end
            elseif ARGV[4] ~= 'always' then
                if not present or digits(version) ~= ARGV[4] then return 0 end
            end
            if present and by > 0 and lease > by then return 0 end
            local chance = redis.call('HRANDFIELD', KEYS[1], 4, 'WITHVALUES')
            for index = 1, #chance, 2 do
                local old, over = header(chance[index + 1])
                if not old or over <= time then redis.call('HDEL', KEYS[1], chance[index]) end
            end
            local new = math.max(time, (version or 0) + 1)
            redis.call('HSET', KEYS[1], ARGV[1],
                digits(new) .. ' ' .. digits(time + ARGV[3]) .. ' ' .. digits(by) .. '\\n' .. ARGV[2])
            local left = math.ceil(ARGV[3] / 1000)
            if redis.call('PTTL', KEYS[1]) < left then redis.call('PEXPIRE', KEYS[1], digits(left)) end
            return 1
            """
    )

    /// Acquires the lease `KEYS[2]` on the field `ARGV[1]` of `KEYS[1]` for `ARGV[2]` milliseconds. Returns its number, or null
    /// while another caller holds it. The number is greater than that of each earlier lease.
    static let lease = StoreScript(
        common + """
            if redis.call('EXISTS', KEYS[2]) == 1 then return false end
            local version, ends, lease = header(redis.call('HGET', KEYS[1], ARGV[1]))
            local number = digits(math.max(now(), (lease or 0) + 1))
            redis.call('SET', KEYS[2], number, 'PX', ARGV[2])
            return number
            """
    )

    /// Releases the lease `KEYS[1]` if its number is still `ARGV[1]`.
    static let release = StoreScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
        return 0
        """
    )
}

/// Runs a script that the server has cached.
struct RunKept: ValkeyCommand {
    static let name = "EVALSHA"
    let call: ScriptCall
    var keysAffected: [ValkeyKey] { call.keys }

    func encode(into encoder: inout ValkeyCommandEncoder) {
        encoder.encodeArray(Self.name, call.digest, String(call.keys.count), call.keys, call.arguments)
    }
}

/// Runs a script with its text, which the server then caches.
struct RunText: ValkeyCommand {
    static let name = "EVAL"
    let call: ScriptCall
    var keysAffected: [ValkeyKey] { call.keys }

    func encode(into encoder: inout ValkeyCommandEncoder) {
        encoder.encodeArray(Self.name, call.text, String(call.keys.count), call.keys, call.arguments)
    }
}

/// A script with its keys and arguments. The driver's own commands accept only text arguments; a value is bytes.
struct ScriptCall: Hashable, Sendable {
    let text: String
    let digest: String
    let keys: [ValkeyKey]
    let arguments: [Argument]

    init(_ script: StoreScript, keys: [ValkeyKey], arguments: [Argument]) {
        text = script.text
        digest = script.digest
        self.keys = keys
        self.arguments = arguments
    }

    enum Argument: Hashable, Sendable, RESPRenderable {
        case text(String)
        case number(Int64)
        case bytes([UInt8])

        var respEntries: Int { 1 }

        func encode(into encoder: inout ValkeyCommandEncoder) {
            switch self {
            case .text(let text): text.encode(into: &encoder)
            case .number(let number): String(number).encode(into: &encoder)
            case .bytes(let bytes): bytes.encode(into: &encoder)
            }
        }
    }
}
