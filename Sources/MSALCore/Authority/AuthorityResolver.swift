// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
import Synchronization

/// Finds the cloud, the endpoints and the signing keys of an authority.
///
/// Responses are kept for the lifetime of this object, and concurrent calls for the same document share one request.
/// The applications of a process share one resolver.
package final class AuthorityResolver: Sendable {
    /// The result of instance discovery for an authority, before its metadata are read.
    package struct Discovery: Sendable {
        /// The cloud of an Entra ID authority. It is `nil` if instance discovery is off or does not apply.
        package let cloud: CloudMetadata?
        /// The URL of the metadata.
        package let openIDConfigurationURL: URL
    }

    /// The documents in memory.
    struct CachedDocuments {
        /// The limit for each type of document. When it is exceeded, which is unusual, the cache is cleared.
        static let capacity = 1000

        var clouds = CachedClouds() { didSet { if clouds.count > Self.capacity { clouds = CachedClouds() } } }
        var configurations: [String: OpenIDConfiguration] = [:] {
            didSet { if configurations.count > Self.capacity { configurations = [:] } }
        }
        var keySets: [URL: CachedKeySet] = [:] { didSet { if keySets.count > Self.capacity { keySets = [:] } } }
        /// The key sets that providers publish for single apps.
        var appKeySets: [AppKeys: CachedKeySet] = [:] {
            didSet { if appKeySets.count > Self.capacity { appKeySets = [:] } }
        }
    }

    let transport: any HTTPTransport
    let time: any TimeSource
    let headers: @Sendable (UUID) -> [String: String]
    let held = Mutex(CachedDocuments())
    let cloudFetches = SingleFlight<String, CloudRecord, AuthorityError>(cancellation: .canceledCall)
    let configurationFetches = SingleFlight<String, OpenIDConfiguration, AuthorityError>(cancellation: .canceledCall)
    let keyFetches = SingleFlight<String, [JSONWebKey], AuthorityError>(cancellation: .canceledCall)

    /// Creates a resolver with an empty cache. `headers` returns the headers about the library, the app, and the call for
    /// a correlation ID.
    package init(
        transport: any HTTPTransport,
        time: any TimeSource,
        headers: @escaping @Sendable (UUID) -> [String: String] = {
            ["client-request-id": $0.uuidString, "return-client-request-id": "true"]
        }
    ) {
        self.transport = transport
        self.time = time
        self.headers = headers
    }

    /// A resolver with an empty cache for `authority`: this one, unless Microsoft's headers mean nothing to the authority.
    package func adapted(to authority: Authority) -> AuthorityResolver {
        authority.kind == .oidc ? AuthorityResolver(transport: transport, time: time) { _ in [:] } : self
    }

    /// Resolves `authority` for requests, by instance discovery if it applies, and by the metadata.
    ///
    /// - Throws: `.validationFailed` if the service does not know the authority or the metadata have another issuer.
    ///   `.unexpected` for a B2C host for which the app does not vouch. `.invalidResponse`, `.http` or `.transport` if
    ///   the metadata cannot be fetched.
    package func resolve(
        _ authority: Authority,
        policy: AuthorityPolicy,
        correlationID: UUID
    ) async throws(AuthorityError) -> ResolvedAuthority {
        let discovery = try await discover(authority, policy: policy, correlationID: correlationID)
        let url = discovery.openIDConfigurationURL
        let configuration = try await configuration(at: url, correlationID: correlationID)
        let aliases = discovery.cloud?.aliases ?? []
        // A custom domain of External ID names the issuer of its tenant, which cannot be derived from the tenant's
        // name.
        let isVouched =
            authority.kind != .oidc && policy.isDeveloperKnown(authority) && configuration.isOfExternalID
        guard isVouched || issuerIsAccepted(configuration.issuer, for: authority, aliases: aliases) else {
            held.withLock { $0.configurations[url.absoluteString.lowercased()] = nil }
            throw AuthorityError(
                .validationFailed,
                message:
                    "The metadata of \(authority) name the issuer \"\(configuration.issuer)\", which does not belong to it."
                    + (authority.kind == .oidc ? " Use the issuer's exact URL; a final slash counts." : "")
            )
        }
        return ResolvedAuthority(
            authority: authority,
            configuration: configuration,
            from: url,
            cloud: discovery.cloud,
            environments: environments(for: authority)
        )
    }

    /// Checks that `authority` may be used. A request is sent only if the documents in memory do not suffice
    /// (docs/reference/Protocol.md#offline-first).
    ///
    /// - Throws: The errors of `discover(_:policy:correlationID:)`.
    package func validate(
        _ authority: Authority,
        policy: AuthorityPolicy,
        correlationID: UUID
    ) async throws(AuthorityError) {
        try checkForm(authority, policy: policy)
        guard authority.kind == .aad, policy.validates(authority) else { return }
        let isRejected = heldCloud(of: authority, policy: policy)?.rejection != nil
        guard !authority.isHostKnown || isRejected else { return }
        _ = try await discover(authority, policy: policy, correlationID: correlationID)
    }

    /// Validates `authority`, and finds its cloud and the URL of its metadata. At most one request is sent.
    ///
    /// - Throws: `.validationFailed` if the service does not know the authority. `.unexpected` for a B2C host for which
    ///   the app does not vouch. `.invalidResponse`, `.http` or `.transport` if the response is needed and does not
    ///   arrive.
    package func discover(
        _ authority: Authority,
        policy: AuthorityPolicy,
        correlationID: UUID
    ) async throws(AuthorityError) -> Discovery {
        try checkForm(authority, policy: policy)
        let cloud = try await cloud(of: authority, policy: policy, correlationID: correlationID)
        return Discovery(
            cloud: cloud,
            openIDConfigurationURL: (cloud?.network(of: authority) ?? authority).openIDConfigurationURL
        )
    }

    /// The environments under which records of `authority` are stored and looked up. No request is sent
    /// (docs/reference/Protocol.md#offline-first).
    package func environments(for authority: Authority) -> (cache: String, lookup: [String]) {
        let environment = authority.environment
        guard
            authority.kind == .aad,
            let cloud = held.withLock({ $0.clouds.names(of: environment) }) ?? KnownClouds.metadata(for: environment)
        else { return (environment, [environment]) }
        return (cloud.cacheHost, cloud.lookupEnvironments(for: environment))
    }

    /// The preferred hosts of all clouds that the service itself named.
    package var discoveredNetworks: Set<String> { held.withLock { $0.clouds.networks } }

    /// Checks only the form of an authority (docs/reference/Protocol.md#validation).
    private func checkForm(_ authority: Authority, policy: AuthorityPolicy) throws(AuthorityError) {
        try authority.checkHost()
        guard policy.validates(authority) else { return }
        switch authority.kind {
        case .aad, .ciam, .oidc:
            return
        case .b2c:
            guard !authority.isHostKnown else { return }
            throw AuthorityError(
                .unexpected,
                message: "A B2C authority cannot be validated: list \(authority) among the known authorities."
            )
        case .adfs:
            throw AuthorityError(
                .unexpected,
                message: "An AD FS authority cannot be validated: list \(authority) among the known authorities."
            )
        }
    }

    /// A request for a JSON document.
    ///
    /// - Throws: `.transport` for an invalid address.
    func message(_ url: URL, correlationID: UUID) throws(AuthorityError) -> HTTPMessage {
        let all = headers(correlationID).merging(["Accept": "application/json"]) { given, _ in given }
        do throws(TransportError) {
            return HTTPMessage(method: "GET", to: try HTTPAddress(built: url), headers: all)
        } catch {
            throw AuthorityError(error)
        }
    }

    /// Sends `message`.
    func send(_ message: HTTPMessage) async throws(AuthorityError) -> HTTPResponse {
        do throws(TransportError) {
            return try await transport.send(message)
        } catch {
            throw AuthorityError(error)
        }
    }

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
    func fetchConfiguration(at url: URL, correlationID: UUID) async throws(AuthorityError) -> OpenIDConfiguration {
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
