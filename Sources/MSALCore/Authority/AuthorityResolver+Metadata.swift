// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

extension AuthorityResolver {
    /// The resolution in memory of an authority without instance discovery; `nil` if its metadata were never fetched.
    /// No request is sent.
    package func heldResolution(of authority: Authority) -> ResolvedAuthority? {
        let key = authority.openIDConfigurationURL.absoluteString.lowercased()
        guard authority.kind != .aad, let configuration = held.withLock({ $0.configurations[key] }),
            issuerIsAccepted(configuration.issuer, for: authority, aliases: [])
        else { return nil }
        return ResolvedAuthority(
            authority: authority,
            configuration: configuration,
            from: authority.openIDConfigurationURL,
            cloud: nil,
            environments: environments(for: authority)
        )
    }

    /// The metadata document at `url`. It is fetched once, and failures are not kept
    /// (docs/reference/Protocol.md#metadata).
    func configuration(at url: URL, correlationID: UUID) async throws(AuthorityError) -> OpenIDConfiguration {
        let key = url.absoluteString.lowercased()
        if let known = held.withLock({ $0.configurations[key] }) { return known }
        return try await configurationFetches.run(key) {
            await Result { () async throws(AuthorityError) in
                let configuration = try await self.fetchConfiguration(at: url, correlationID: correlationID)
                self.held.withLock { $0.configurations[key] = configuration }
                return configuration
            }
        }
    }

    /// Fetches the metadata document at `url`, even if it is in memory.
    func fetchConfiguration(
        at url: URL,
        correlationID: UUID
    ) async throws(AuthorityError) -> OpenIDConfiguration {
        let response = try await send(try message(url, correlationID: correlationID))
        switch response.status {
        case 200:
            return try OpenIDConfiguration(parsing: response.body)
        case 400, 404:  // The tenant does not exist.
            let words = ServiceErrorDetails(body: response.body)
            let reason = words?.text ?? "This authority has no metadata."
            throw AuthorityError(.validationFailed, message: reason, serviceCodes: words?.codes ?? [])
        default:
            throw AuthorityError(
                response,
                from: "The OpenID Connect metadata endpoint of \(url.host() ?? "the authority")"
            )
        }
    }
}
