// Licensed under the MIT License. See LICENSE.

package import Foundation

/// An authority with all that is needed to send requests to it and to find its records in the cache.
package struct ResolvedAuthority: Sendable {
    /// The authority that was asked about, unchanged.
    package let authority: Authority
    package let configuration: OpenIDConfiguration
    /// Where the configuration was read.
    package let configurationURL: URL
    /// The environment of new cache records.
    package let cacheEnvironment: String
    /// Where cache records may lie, the likeliest first.
    package let lookupEnvironments: [String]
    /// For Entra ID at the host the cloud prefers.
    package let authorizationEndpoint: URL
    /// For Entra ID at the host the cloud prefers.
    package let tokenEndpoint: URL
    /// Where the browser is sent to sign out.
    package let endSessionEndpoint: URL?

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
    }
}
