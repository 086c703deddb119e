// Licensed under the MIT License. See LICENSE.

import Foundation

/// An IP address to listen on beyond loopback.
struct BindAddress: Sendable, Equatable {
    /// The text is not an address.
    struct Invalid: Error {
        let description: String
    }

    let text: String

    /// - Throws: `Invalid` for what is no IP address, such as a host name. Its text says what is allowed.
    init(_ text: String) throws(Invalid) {
        guard MachineNames.isAddress(text) else {
            throw Invalid(
                description:
                    "'\(text)' is not an IP address; choose 0.0.0.0 for IPv4, :: for everything, or an address "
                    + "of this machine"
            )
        }
        self.text = text
    }

    /// Whether only this machine's own programs reach it.
    var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }

    private var isWildcard: Bool { text == "0.0.0.0" || text == "::" }

    /// The IP addresses to listen on for an address of the configuration. Listening on the first one must succeed.
    /// Clients on this machine always find the emulator at `localhost`.
    static func sockets(for address: BindAddress?, alsoIPv6: Bool) -> [String] {
        let loopback = alsoIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        guard let address, !loopback.contains(address.text) else { return loopback }
        switch address.text {
        case "::": return ["::"]
        case "0.0.0.0": return ["0.0.0.0"] + loopback.dropFirst()
        default: return loopback + [address.text]
        }
    }

    /// The names under which clients on other machines reach the address: the certificate needs them.
    var certificateNames: [String] {
        guard !isLoopback else { return [] }
        return (isWildcard ? MachineNames.addresses(includingIPv6: text == "::") : [text]) + MachineNames.hostNames
    }
}
