// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// The proxies whose `X-Forwarded-For` is trusted. Any other client could put an arbitrary address there.
struct TrustedProxies: Sendable {
    let ranges: [NetworkRange]

    /// The address of the client behind the proxies: the last address that is not a trusted proxy.
    ///
    /// Each proxy appends the address of its caller, so the addresses before the last untrusted one may be forged.
    ///
    /// `peer`: The address of the connection.
    /// - Returns: `nil` if unknown.
    func client(of headers: HTTPFields, from peer: String?) -> String? {
        guard let peer, isTrusted(peer) else { return peer }
        let hops = headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
            .map { Self.address(in: $0.trimmingCharacters(in: .whitespaces)) }
        var client: String? = peer
        for hop in hops.reversed() {
            client = hop
            guard let hop, isTrusted(hop) else { break }
        }
        return client
    }

    private func isTrusted(_ address: String) -> Bool { ranges.contains { $0.contains(address) } }

    /// The address without a port, which some proxies append: `203.0.113.7:4711`, `[2001:db8::7]:4711`.
    private static func address(in hop: String) -> String? {
        var text = hop
        if let end = hop.firstIndex(of: "]"), hop.hasPrefix("[") {
            text = String(hop[hop.index(after: hop.startIndex)..<end])
        } else if hop.count(where: { $0 == ":" }) == 1 {
            text = String(hop.prefix { $0 != ":" })
        }
        return text.contains("/") || NetworkRange(text) == nil ? nil : text
    }
}
