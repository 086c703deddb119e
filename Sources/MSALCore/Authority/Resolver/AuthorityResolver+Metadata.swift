// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

extension AuthorityResolver {
    /// What is in memory of an authority that takes no part in instance discovery; `nil` if its metadata were never
    /// fetched. Asks nobody.
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

    /// The metadata document at `url`, fetched once (docs/reference/Protocol.md#metadata). Failures are not kept.
    func configuration(at url: URL, correlationID: UUID) async throws(AuthorityError) -> OpenIDConfiguration {
        let key = url.absoluteString.lowercased()
        if let known = held.withLock({ $0.configurations[key] }) { return known }
        return try await configurationFetches.run(key) {
            let result = await self.fetchConfiguration(at: url, correlationID: correlationID)
            if case .success(let configuration) = result {
                self.held.withLock { $0.configurations[key] = configuration }
            }
            return result
        }
    }

    /// Asks for the metadata document at `url`, whatever is in memory.
    func fetchConfiguration(
        at url: URL,
        correlationID: UUID
    ) async -> Result<OpenIDConfiguration, AuthorityError> {
        do throws(AuthorityError) {
            let response = try await send(message(url, correlationID: correlationID))
            switch response.status {
            case 200:
                return .success(try OpenIDConfiguration(parsing: response.body))
            case 400, 404:  // The tenant does not exist.
                let words = ServiceWords(body: response.body)
                let reason = words?.text ?? "There are no metadata for this authority."
                throw AuthorityError(.validationFailed, message: reason, serviceCodes: words?.codes ?? [])
            default:
                throw AuthorityError(
                    response,
                    from: "The OpenID Connect metadata endpoint of \(url.host() ?? "the authority")"
                )
            }
        } catch {
            return .failure(error)
        }
    }
}
