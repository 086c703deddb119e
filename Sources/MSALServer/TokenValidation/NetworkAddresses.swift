// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One IP address, or a network of them (RFC 4632 §3.1, RFC 4291 §2.3).
struct NetworkAddresses: Sendable, Hashable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Reads `10.1.2.3`, `10.1.0.0/16`, `::1` or `fd00::/8`. The result is `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        let length = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let length, (0...bytes.count * 8).contains(length) else { return nil }
        self.bytes = bytes
        prefixLength = length
    }

    /// Whether an address is one of these.
    func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        return zip(bytes, other).enumerated().allSatisfy { index, pair in
            let bits = min(8, max(0, prefixLength - index * 8))
            let mask = bits == 0 ? 0 : UInt8.max << UInt8(8 - bits)
            return pair.0 & mask == pair.1 & mask
        }
    }

    /// The bytes of an address. An IPv4 address inside an IPv6 address counts as the former (RFC 4291 §2.5.5.2).
    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }
}
