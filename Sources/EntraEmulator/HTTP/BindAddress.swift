// Licensed under the MIT License. See LICENSE.

import Foundation

/// An IP address to listen on in addition to loopback.
struct BindAddress: Sendable, Equatable {
    let text: String

    /// `nil` if the text is not an IP address, for example a host name.
    init?(_ text: String) {
        guard MachineNames.isAddress(text) else { return nil }
        self.text = text
    }

    /// Whether only programs on this machine can reach it.
    var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }

    private var isWildcard: Bool { text == "0.0.0.0" || text == "::" }

    /// The IP addresses to listen on for a configured address. Listening on the first one must succeed. Clients on this
    /// machine can always reach the emulator at `localhost`.
    static func sockets(for address: BindAddress?, alsoIPv6: Bool) -> [String] {
        let loopback = alsoIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        guard let address, !loopback.contains(address.text) else { return loopback }
        switch address.text {
        case "::": return ["::"]
        case "0.0.0.0": return ["0.0.0.0"] + loopback.dropFirst()
        default: return loopback + [address.text]
        }
    }

    /// The names under which clients on other machines reach the address, for the certificate.
    var certificateNames: [String] {
        guard !isLoopback else { return [] }
        return (isWildcard ? MachineNames.addresses(includingIPv6: text == "::") : [text]) + MachineNames.hostNames
    }
}
