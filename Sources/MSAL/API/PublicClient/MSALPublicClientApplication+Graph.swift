// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALPublicClientApplication {
    /// The host of Microsoft Graph that the metadata of an authority name; `nil` if they name none. Linux only.
    ///
    /// National clouds have their own Microsoft Graph. The metadata are fetched once in the life of the process.
    ///
    /// - Throws: `NSURLErrorDomain` if no response came; ``MSALErrorDomain`` if the authority cannot be used.
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
