// Licensed under the MIT License. See LICENSE.

import NIOCore

/// An address of this machine on which a listener may wait. A name would have to be looked up, which blocks.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as the kernel writes it.
    let text: String

    /// Reads an address of IPv4 or IPv6; `nil` for any other text.
    init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0), let address = address.ipAddress else {
            return nil
        }
        self.text = address
    }

    package var description: String { text }
}
