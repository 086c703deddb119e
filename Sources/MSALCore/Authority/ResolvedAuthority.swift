// Licensed under the MIT License. See LICENSE.

package import Foundation

/// An authority with its endpoints and with the environments of its records in the cache.
package struct ResolvedAuthority: Sendable {
    /// The authority that was resolved, unchanged.
    package let authority: Authority
    package let configuration: OpenIDConfiguration
    /// The URL of the configuration.
    package let configurationURL: URL
    /// The environment of new cache records.
    package let cacheEnvironment: String
    /// The environments of existing cache records, with the likeliest first.
    package let lookupEnvironments: [String]
    /// The authorization endpoint. For Entra ID it is at the host that the cloud prefers.
    package let authorizationEndpoint: URL
    /// The token endpoint. For Entra ID it is at the host that the cloud prefers.
    package let tokenEndpoint: URL
    /// The page where the browser signs the user out.
    package let endSessionEndpoint: URL?
    /// The endpoint at which a device without a browser gets its codes.
    package let deviceAuthorizationEndpoint: URL?

    init(
        authority: Authority,
        configuration: OpenIDConfiguration,
        from configurationURL: URL,
        cloud: CloudMetadata?,
        environments: (cache: String, lookup: [String])
    ) {
        let atNetworkHost = { (url: URL) in cloud?.network(of: url) ?? url }
        self.authority = authority
        self.configuration = configuration
        self.configurationURL = configurationURL
        cacheEnvironment = environments.cache
        lookupEnvironments = environments.lookup
        authorizationEndpoint = atNetworkHost(configuration.authorizationEndpoint)
        tokenEndpoint = atNetworkHost(configuration.tokenEndpoint)
        endSessionEndpoint = configuration.endSessionEndpoint.map(atNetworkHost)
        deviceAuthorizationEndpoint = configuration.deviceAuthorizationEndpoint.map(atNetworkHost)
    }
}
