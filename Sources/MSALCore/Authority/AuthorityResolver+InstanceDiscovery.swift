// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

extension AuthorityResolver {
    /// The cloud of an Entra ID authority. One request is sent for each environment
    /// (docs/reference/Protocol.md#instance-discovery and #validation).
    ///
    /// - Returns: `nil` for other kinds, and if the app has switched off instance discovery.
    func cloud(
        of authority: Authority,
        policy: AuthorityPolicy,
        correlationID: UUID
    ) async throws(AuthorityError) -> CloudMetadata? {
        guard authority.kind == .aad, policy.isInstanceDiscoveryEnabled else { return nil }
        let record: CloudRecord
        if let known = heldCloud(of: authority, policy: policy) {
            record = known
        } else {
            let source = source(for: authority, policy: policy)
            do throws(AuthorityError) {
                record = try await cloudFetches.run("\(source) \(authority.environment)") {
                    await self.fetchCloud(of: authority, from: source, correlationID: correlationID)
                }
            } catch {
                guard isTolerable(error, for: authority, policy: policy) else { throw error }
                return cloudWithoutDiscovery(of: authority)
            }
        }
        guard let rejection = record.rejection else { return record.cloud }
        // An environment that the service refuses to know is an error only if the policy validates the authority.
        guard policy.validates(authority) else { return cloudWithoutDiscovery(of: authority) }
        throw AuthorityError(
            .validationFailed,
            message:
                "\(authority) is not a known authority. \(rejection) For the custom domain of an External ID or B2C "
                + "tenant, use an authority of that kind."
        )
    }

    /// The record in memory about the cloud of `authority`.
    func heldCloud(of authority: Authority, policy: AuthorityPolicy) -> CloudRecord? {
        let source = source(for: authority, policy: policy)
        return held.withLock { $0.clouds[authority.environment, from: source] }
    }

    /// The host that describes `authority`. If only the app vouches for it, this is its own host, which other apps do
    /// not trust.
    private func source(for authority: Authority, policy: AuthorityPolicy) -> DiscoverySource {
        policy.isDeveloperKnown(authority) && !authority.isHostKnown ? .ownHost : .service
    }

    private func cloudWithoutDiscovery(of authority: Authority) -> CloudMetadata {
        KnownClouds.metadata(for: authority.environment) ?? CloudMetadata(selfRecordOf: authority.environment)
    }

    /// Whether the call goes on without a response (docs/reference/Protocol.md#discovery-failure and
    /// docs/reference/Decisions.md#developer-known).
    private func isTolerable(_ error: AuthorityError, for authority: Authority, policy: AuthorityPolicy) -> Bool {
        switch error.kind {
        case .transport(let cause) where cause.kind == .canceled:
            false
        case .transport, .http:
            authority.isHostKnown || !policy.validates(authority)
        case .invalidResponse, .validationFailed, .unexpected, .invalidParameter:
            policy.isDeveloperKnown(authority)
        }
    }

    private func fetchCloud(
        of authority: Authority,
        from source: DiscoverySource,
        correlationID: UUID
    ) async -> Result<CloudRecord, AuthorityError> {
        do throws(AuthorityError) {
            let isOwnHostAsked = authority.isHostKnown || source == .ownHost
            let host = isOwnHostAsked ? authority.environment : KnownClouds.discoveryHost
            var message = try message(discoveryURL(of: authority, host: host), correlationID: correlationID)
            if isOwnHostAsked {  // The call can go on without this response, so it does not wait long.
                message.timeout = .seconds(10)
                message.repetition = .never
            }
            let response: HTTPResponse
            do throws(AuthorityError) {
                response = try await send(message)
            } catch {
                guard !isOwnHostAsked, case .transport(let cause) = error.kind, cause.kind != .canceled else {
                    throw error
                }
                // Another host failed than the one in the app's authority.
                throw AuthorityError(
                    cause.during(
                        "Instance discovery, which asks \(host) about \(authority.environment) unless that is listed as "
                            + "a known authority, failed"
                    )
                )
            }
            return .success(try keep(response, about: authority.environment, from: source, at: host))
        } catch {
            return .failure(error)
        }
    }

    private func discoveryURL(of authority: Authority, host: String) throws(AuthorityError) -> URL {
        let value = authority.endpoint(.authorize).absoluteString.percentEncoded()
        return try Authority.url(
            "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(value)"
        )
    }

    private func keep(
        _ response: HTTPResponse,
        about environment: String,
        from source: DiscoverySource,
        at host: String
    ) throws(AuthorityError) -> CloudRecord {
        let members = JSONValue(parsing: response.body)?.object
        if members?["error"]?.string == "invalid_instance" {
            let reason = members?["error_description"]?.string ?? "The service says invalid_instance."
            return held.withLock { $0.clouds.reject(environment, from: source, because: reason) }
        }
        guard response.status == 200 else { throw AuthorityError(response, from: "Instance discovery at \(host)") }
        guard let members else {
            throw AuthorityError(.invalidResponse, message: response.notJSON(from: "Instance discovery at \(host)"))
        }
        guard members["tenant_discovery_endpoint"]?.string != nil else {
            throw AuthorityError(
                .invalidResponse,
                message: "The response of instance discovery has no tenant_discovery_endpoint."
            )
        }
        let clouds = try CloudMetadata.parse(members["metadata"])
        return held.withLock { $0.clouds.store(clouds, about: environment, from: source) }
    }
}
