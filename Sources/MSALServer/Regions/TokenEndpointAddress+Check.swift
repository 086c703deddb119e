// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

extension TokenEndpointAddress {
    /// Checks once more that no secret for one cloud goes to another (docs/reference/Services.md#clouds).
    ///
    /// - Throws: `.configuration` if a host does not belong to the authority.
    package func checkHosts(of authority: Authority, emulator: URL? = nil) throws(MSALTokenError) {
        for url in [url, fallback].compactMap(\.self) {
            guard Self.isHost(of: url, ownedBy: authority, emulator: emulator) else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "The token endpoint at \(url.host() ?? "an unknown host") does not belong to the authority "
                        + "\(authority.environment). Nothing was sent."
                )
            }
        }
    }

    /// Whether a token endpoint is at one of the authority's hosts. The hosts for regions and for mutual TLS are among
    /// them.
    package static func isHost(of url: URL, ownedBy authority: Authority, emulator: URL? = nil) -> Bool {
        guard let address = AuthorityAddress(url), address.isSecure else { return false }
        let host = address.environment
        let cloud = KnownClouds.metadata(for: authority.environment)
        if host == authority.environment || cloud?.aliases.contains(host) == true { return true }
        if authority.isLoopback, let emulator = emulator.flatMap(AuthorityAddress.init), emulator.isLoopback {
            return host == emulator.environment
        }
        guard authority.kind == .aad else { return false }
        let mutualTLS = cloud.flatMap { mutualTLSHosts[$0.networkHost] }
        if host == mutualTLS { return true }
        guard let dot = host.firstIndex(of: "."), host[..<dot].utf8.allSatisfy(\.isASCIILetterOrDigit) else {
            return false
        }
        let parent = String(host[host.index(after: dot)...])
        return parent == mutualTLS || cloud?.aliases.contains(parent) == true || parent == authority.environment
    }
}
