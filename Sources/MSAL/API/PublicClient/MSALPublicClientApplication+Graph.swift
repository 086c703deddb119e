// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALPublicClientApplication {
    /// The host of Microsoft Graph in the metadata of an authority; `nil` if there is none. Linux only.
    ///
    /// National clouds have their own Microsoft Graph. The metadata is fetched once per process.
    ///
    /// - Throws: `NSURLErrorDomain` if there was no response; ``MSALErrorDomain`` if the authority cannot be used.
    public func graphHost(of authority: MSALAuthority) async throws -> String? {
        let id = UUID.random()
        return try await correlated(id) { () async throws(AuthError) in
            let client = try client()
            let rules = client.configuration.authorityRules
            return try await client.authorities.resolve(rules.moved(authority.core), by: rules, correlationID: id)
                .configuration.graphHost
        }
    }
}
