// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALSupport

extension MSALPublicClientApplication {
    /// The host of Microsoft Graph that the metadata of an authority name; `nil` if they name none.
    ///
    /// The metadata are fetched once in the life of the process.
    ///
    /// - Throws: `NSError`, if they cannot be had.
    package func graphHost(of authority: MSALAuthority) async throws -> String? {
        let id = UUID.random()
        return try await correlated(id) { () async throws(AuthError) in
            try await client().resolve(authority.core, correlationID: id).configuration.graphHost
        }
    }
}
