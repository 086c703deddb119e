// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore
import NIOCore
import NIOPosix

/// Fetches Client ID Metadata Documents from servers that clients name (draft-ietf-oauth-client-id-metadata-document §6.5).
///
/// The name is resolved first, and the connection goes to the address that was checked, without a proxy. Redirects are not
/// followed.
package struct ClientDocumentFetcher: Sendable {
    private let trustedHosts: [String: MSALTrustedDocumentHost]
    private let time: any TimeSource
    /// Returns an address of a name. The system's resolver also reads numbers such as `0x7f.1`.
    package var resolve: @Sendable (String) async throws -> String? = { name in
        try await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(name, port: 443).ipAddress
        }
    }
    /// Makes a transport for one request.
    package var transport: @Sendable (HTTPSettings) -> any HTTPTransport = { AsyncHTTPClientTransport($0) }

    /// The document is not fetched, or is not used.
    package struct Refusal: Error {}

    /// Creates a fetcher with the system's resolver.
    package init(trustedHosts: [String: MSALTrustedDocumentHost] = [:], time: any TimeSource = SystemTime()) {
        self.trustedHosts = Dictionary(trustedHosts.map { ($0.lowercasedASCII, $1) }) { first, _ in first }
        self.time = time
    }

    /// Resolves the name and fetches a document of at most 16 KiB, in five seconds together.
    package func document(at url: URL) async throws -> MSALClientDocument {
        // The system's resolver ignores cancellation.
        try await OneShot<Result<MSALClientDocument, any Error>>.value(
            within: .seconds(5),
            of: time,
            orElse: .failure(Refusal()),
            ifCancelled: .failure(CancellationError())
        ) {
            await Result(catching: { try await fetched(url) })
        }.get()
    }

    private func fetched(_ url: URL) async throws -> MSALClientDocument {
        guard let host = url.host() else { throw Refusal() }
        let name = host.trimmingCharacters(in: ["[", "]"])
        let trusted = trustedHosts[name.lowercasedASCII]
        let resolved = trusted == nil ? try await resolve(name) : nil
        guard let address = trusted?.address ?? resolved.flatMap({ PublicAddress.contains($0) ? $0 : nil }) else {
            throw Refusal()
        }
        var settings = HTTPSettings(caFile: trusted?.caFile)
        settings.addresses = [host: address]
        var message = HTTPMessage(method: "GET", to: try HTTPAddress(url), headers: ["Accept": "application/json"])
        message.maximumResponseBytes = 16 << 10
        message.repetition = .never
        let response = try await transport(settings).send(message)
        guard response.status == 200 else { throw Refusal() }
        let age = response[header: "Cache-Control"]?.firstMatch(of: /max-age=([0-9]{1,9})/).flatMap { Int64($0.1) }
        return MSALClientDocument(body: response.body, lifetime: .seconds(age ?? 300))
    }
}

/// Addresses of the public internet (IANA's registries of special-purpose addresses, RFC 6890).
package enum PublicAddress {
    /// Whether an IP address is public. IPv6 addresses that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are not.
    package static func contains(_ address: String) -> Bool {
        let isAddress = address.contains(":") ? global?.contains(address) == true : NetworkRange(address) != nil
        return isAddress && !special.contains { $0.contains(address) }
    }

    private static let global = NetworkRange("2000::/3")
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap(NetworkRange.init)
}
