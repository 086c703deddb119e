// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

/// The address of a token request (docs/reference/Services.md#regions).
package struct TokenEndpointAddress: Sendable, Hashable {
    /// The kinds of flows. They differ in the hosts that they may ask.
    package enum Flow: Sendable {
        /// The flow gets a token for the application itself.
        case clientCredentials
        /// The flow gets a token for a user.
        case user
    }

    /// The address that receives the request.
    package let url: URL
    /// The address that an assertion names. It is the cloud's own, also if a region is asked.
    package let audience: URL
    /// The address that is tried if no connection to the region is possible.
    package let fallback: URL?

    /// The address for an authority, which must have the tenant that is asked. No request is sent.
    ///
    /// Whatever `region` is, the host belongs to the authority's cloud: its usual host, or that for a region or for
    /// mutual TLS.
    ///
    /// `emulator` is where an emulator takes client certificates. It counts only for an authority on this machine.
    ///
    /// - Throws: `.tenantRequired` or `.notSupportedInCloud` for mutual TLS.
    package init(
        of authority: Authority,
        region: RegionName? = nil,
        isMutualTLS: Bool = false,
        emulator: URL? = nil,
        flow: Flow
    ) throws(MSALTokenError) {
        let network = KnownClouds.metadata(for: authority.environment)?.network(of: authority) ?? authority
        audience = network.endpoint(.token)
        let host =
            isMutualTLS
            ? try Self.mutualTLSHost(for: authority, emulator: emulator) : Self.regionalHost(for: network)
        let cloud = isMutualTLS ? host.map(network.replacingHost)?.endpoint(.token) ?? audience : audience
        guard let region, let host, flow == .clientCredentials, !network.isLoopback else {
            url = cloud
            fallback = nil
            return
        }
        url = network.replacingHost("\(region).\(host)").endpoint(.token)
        fallback = cloud
    }

    /// The address that the metadata of an OpenID Connect issuer name.
    package init(_ tokenEndpoint: URL) {
        url = tokenEndpoint
        audience = tokenEndpoint
        fallback = nil
    }

    /// The host below which the regions of a cloud are. It is `nil` for authorities without regions, such as customers'
    /// tenants, whatever their domain, and for the host of a region.
    private static func regionalHost(for network: Authority) -> String? {
        guard network.kind == .aad, KnownClouds.metadata(for: network.environment) != nil else { return nil }
        return network.environment == KnownClouds.discoveryHost ? publicRegionalHost : network.environment
    }

    private static func mutualTLSHost(for authority: Authority, emulator: URL?) throws(MSALTokenError) -> String? {
        guard authority.tenantKind == .identifier, authority.tenant != nil else {
            throw MSALTokenError(
                .tenantRequired,
                message: "Mutual TLS needs one tenant. Put the tenant's ID or domain "
                    + "in the authority or in the options."
            )
        }
        if authority.isLoopback, let address = emulator.flatMap(AuthorityAddress.init), address.isLoopback {
            return address.environment
        }
        let cloud = KnownClouds.metadata(for: authority.environment)?.networkHost
        // In clouds other than the public one, older names have no host for mutual TLS. MSAL for .NET does the same.
        let isNamed = cloud == authority.environment || cloud == KnownClouds.discoveryHost
        guard authority.kind == .aad, isNamed, let host = cloud.flatMap({ mutualTLSHosts[$0] }) else {
            throw MSALTokenError(
                .notSupportedInCloud,
                message: "\(authority.environment) does not accept certificates in the TLS handshake. These clouds do: "
                    + "\(mutualTLSHosts.keys.sorted().joined(separator: ", "))."
            )
        }
        return host
    }

    private static let publicRegionalHost = "login.microsoft.com"

    /// The host of each cloud for mutual TLS. The key is the host that the cloud prefers.
    static let mutualTLSHosts = [
        "login.microsoftonline.com": "mtlsauth.microsoft.com",
        "login.microsoftonline.us": "mtlsauth.microsoftonline.us",
        "login.partner.microsoftonline.cn": "mtlsauth.partner.microsoftonline.cn",
    ]
}

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
