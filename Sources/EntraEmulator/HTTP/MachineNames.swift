// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore

/// The names and addresses of this machine in its networks.
enum MachineNames {
    /// Whether the text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
    }

    /// The machine's own name, and its first label. Names that a certificate cannot contain are omitted.
    static var hostNames: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        let short = name.split(separator: ".").first.map(String.init)
        return [name, short].compactMap(\.self).filter(\.isHostName).uniqued
    }

    /// The addresses of the machine's networks, sorted. Loopback addresses are omitted, and so are link-local
    /// addresses: clients append the name of the interface to them, and no certificate can contain that.
    static func addresses(includingIPv6: Bool) -> [String] {
        // A machine whose networks cannot be listed is reachable by its names.
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { $0.address?.ipAddress }
            .filter { !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80:") }
            .filter { includingIPv6 || !$0.contains(":") }
            .uniqued
            .sorted()
    }
}

extension String {
    /// Whether the text is a valid host name or an IPv4 address.
    package var isHostName: Bool {
        !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    }
}
