// Licensed under the MIT License. See LICENSE.

import Foundation

/// The names and addresses that this machine has in its networks.
enum MachineNames {
    /// Whether the text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
    }

    /// The machine's own name, and its first part. Names that a certificate cannot contain are left out.
    static var hostNames: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        let short = name.split(separator: ".").first.map(String.init)
        return [name, short].compactMap(\.self).filter(\.isHostName).uniqued
    }

    /// The addresses of the machine's networks, in order. Loopback addresses are left out. So are link-local addresses:
    /// clients add the name of the link to them, and no certificate can contain that.
    static func addresses(includingIPv6: Bool) -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        let all = sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }
        return all.compactMap { $0?.pointee.ifa_addr.flatMap(text) }
            .filter { !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80:") }
            .filter { includingIPv6 || !$0.contains(":") }
            .uniqued
            .sorted()
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten =
            switch family {
            case AF_INET:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    inet_ntop(family, &address.pointee.sin_addr, &text, socklen_t(text.count)) != nil
                }
            case AF_INET6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    inet_ntop(family, &address.pointee.sin6_addr, &text, socklen_t(text.count)) != nil
                }
            default: false
            }
        guard isWritten else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

}

extension String {
    /// Whether the text can be the name of a machine, or an IPv4 address.
    package var isHostName: Bool {
        !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    }
}
