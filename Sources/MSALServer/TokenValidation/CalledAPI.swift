// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALCore

/// The API that a caller has called, as its responses name it.
package final class CalledAPI: Sendable {
    let authority: Authority
    /// The address of the metadata (RFC 9728), for clients that find the authority by them.
    private let resourceMetadata: URL?
    private let scopeBase: String

    package init(
        authority: Authority,
        clientID: String = "",
        applicationIDURI: String? = nil,
        resourceMetadata: URL? = nil
    ) {
        self.authority = authority
        self.resourceMetadata = resourceMetadata
        let uri = applicationIDURI ?? "api://\(clientID)"
        scopeBase = uri.hasSuffix("/") ? uri : "\(uri)/"
    }

    /// The rejection as the API's clients get it. It names the metadata, and the scopes that would have been enough as a client
    /// asks for them.
    func answer(_ rejection: MSALTokenRejection, requiring requirement: MSALRequirement) -> MSALTokenRejection {
        guard let resourceMetadata else { return rejection }
        return rejection.naming(resourceMetadata, scopes: requirement.scopes.map { scopeBase + $0 })
    }
}
