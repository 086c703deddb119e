// Licensed under the MIT License. See LICENSE.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An IPv4 or IPv6 network, such as `10.0.0.0/8`, or a single address (RFC 4632 §3.1, RFC 4291 §2.3).
package struct NetworkRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let length: Int

    /// `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        let length = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let length, (0...bytes.count * 8).contains(length) else { return nil }
        self.bytes = bytes
        self.length = length
    }

    /// Whether an address is in the range. An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is treated as the IPv4
    /// address.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let whole = length / 8
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        let rest = length % 8
        guard rest > 0 else { return true }
        let mask = UInt8.max << (8 - rest)
        return bytes[whole] & mask == other[whole] & mask
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let carried: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return Array(bytes.prefix(12)) == carried ? Array(bytes.suffix(4)) : bytes
    }
}
