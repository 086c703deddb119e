// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// A program that uses the managed identity of the Azure machine or app on which it runs. It needs no secret.
///
/// All objects of a process share one token cache.
///
/// ```swift
/// let identity = MSALManagedIdentityApplication()
/// let result = try await identity.acquireToken(resource: "https://vault.azure.net")
/// ```
public final class MSALManagedIdentityApplication: Sendable, ServerRedactedReflection {
    /// The identity to use.
    public let identity: MSALManagedIdentityId

    /// The capabilities of the application, such as `cp1` for claims challenges of APIs. Only Service Fabric receives
    /// them.
    public let capabilities: [String]

    /// The host that provides the identity. It is detected when the object is created.
    public let source: MSALManagedIdentitySource

    private let host: any ManagedIdentityHost
    private let environment: ServerEnvironment
    private let memory: ManagedIdentityMemory
    private let tokens: AccessTokenSource
    private let partition: AccessTokenCache.Partition

    /// Creates an application with one of the machine's identities. No request is sent.
    ///
    /// - Parameters:
    ///   - identity: The identity; by default the system-assigned one.
    ///   - options: The settings that all credentials share. Their tenants are ignored, because an identity belongs to
    ///     one tenant.
    public convenience init(
        identity: MSALManagedIdentityId = .systemAssigned,
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) {
        self.init(identity: identity, options: options, environment: .system(options))
    }

    package init(
        identity: MSALManagedIdentityId = .systemAssigned,
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) {
        var environment = environment.applying(options)
        self.identity = identity
        capabilities = options.capabilities
        memory = .of(environment)
        environment.instruments = environment.instruments.reporting(memory.cache)
        environment.instruments.announceFailures(in: [.managedIdentity])
        self.environment = environment
        (host, source) = ManagedIdentityHosts.detect(in: environment)
        tokens = AccessTokenSource(cache: memory.cache, environment: environment, observer: options.refreshObserver)
        partition = memory.partition(of: identity, at: source)
    }

    /// Returns the host that a new application would use, and why. No request is sent, so the result "virtual machine"
    /// is a guess.
    public static func detectSource() -> MSALManagedIdentitySource {
        ManagedIdentityHosts.detect(in: .system()).source
    }

    /// Acquires a token of the identity for a resource, such as `https://vault.azure.net`.
    ///
    /// A cached token is returned without suspension, and without leaving the caller's actor.
    ///
    /// - Parameters:
    ///   - resource: The resource, or the scope `<resource>/.default`.
    ///   - options: Other options of the call. The tenant is ignored, because a managed identity belongs to one tenant.
    /// - Returns: The token and its source.
    /// - Throws: `.configuration` or `.userAssignedNotSupported` before any request is sent; `.identityNotAssigned`;
    ///   `.unavailable` if the host cannot be reached; `.refused`, `.invalidChallenge`, `.identityNotConfirmed`,
    ///   `.throttled` or `.invalidResponse`, depending on the host's response.
    nonisolated(nonsending) public func acquireToken(
        resource: String,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let resource = try Self.resource(of: resource)
        guard !options.isBoundToCertificate else {
            throw MSALTokenError(
                .certificateRequired,
                message: "Managed identities do not support certificate-bound tokens."
            )
        }
        let key = AccessTokenKey(partition: partition, realm: ManagedIdentityMemory.realm, target: resource)
        let now = environment.time.wholeSeconds
        switch tokens.lookup(key, options: options, at: now) {
        case .hit(let token):
            let isRefreshDue = token.isRefreshDue(at: now)
            environment.instruments.countHit(.managedIdentity, isRefreshDue: isRefreshDue)
            if isRefreshDue {
                tokens.refresh(behind: token, for: key) { [self] () throws(MSALTokenError) in
                    try await requestToken(for: key)
                }
            }
            return MSALTokenResult(token, source: .cache)
        case .miss(let reason):
            return try await environment.observed(.managedIdentity) { [self] () throws(MSALTokenError) in
                try await tokens.fetch(key, because: reason, options: options) { [self] () throws(MSALTokenError) in
                    try await requestToken(
                        for: key,
                        hasClaims: options.claims != nil,
                        correlationID: options.correlationID
                    )
                }
            }
        }
    }

    /// The resource of a scope. At most one slash is cut, because the names of some resources end in one.
    private static func resource(of scope: String) throws(MSALTokenError) -> String {
        let resource = scope.hasSuffix("/.default") ? String(scope.dropLast("/.default".count)) : scope
        guard !resource.utf8.allSatisfy({ $0 <= 0x20 }) else {
            throw MSALTokenError(
                .configuration,
                message: "The resource is blank. Give one, such as https://vault.azure.net. No request was sent."
            )
        }
        return resource
    }

    @concurrent private func requestToken(
        for key: AccessTokenKey,
        hasClaims: Bool = false,
        correlationID: UUID? = nil
    ) async throws(MSALTokenError) -> CachedAccessToken {
        // With claims, an API has refused the token in the memory. Only then is the token named to the host.
        let now = environment.time.wholeSeconds
        let revoked = hasClaims ? memory.cache.token(for: key, at: now)?.accessToken : nil
        let request = try ManagedIdentityRequest(
            to: host,
            identity: identity,
            resource: key.target,
            capabilities: capabilities,
            revoked: revoked,
            correlationID: correlationID ?? .random(),
            environment: environment
        )
        return try await environment.logged(as: request.correlationID) { [self] () throws(MSALTokenError) in
            try await redeem(request)
        }
    }

    private func redeem(_ request: ManagedIdentityRequest) async throws(MSALTokenError) -> CachedAccessToken {
        var exchange = ManagedIdentityExchange(request, line: memory.line, environment: environment)
        let reader = ManagedIdentityResponse(to: request, environment: environment)
        let first = try await exchange.send(request.message)
        let proof = try request.host.proof(askedBy: first, reader: reader, environment: environment)
        guard let proof else { return try reader.token(first) }
        var message = request.message
        message.headers["Authorization"] = "Basic \(proof.exposed)"
        let second = try await exchange.send(message)
        guard second.status == 200 else { throw reader.refusal(second, asking: proof) }
        return try reader.token(second)
    }
}

extension MSALManagedIdentityApplication: MSALTokenCredential {
    /// Acquires a token of the identity as a member of a credential chain. The request has one scope.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        guard let scope = request.scopes.first, request.scopes.count == 1 else {
            throw MSALTokenError(
                .invalidScopes,
                message: "A managed identity accepts one scope, such as https://vault.azure.net/.default."
            )
        }
        return try await acquireToken(resource: scope, options: request.options)
    }
}

/// The memory that all managed identities of a process share: their tokens, and their turn at IMDS, which takes few
/// requests at once.
final class ManagedIdentityMemory: Sendable {
    let cache = AccessTokenCache()
    let line = AsyncSerialQueue()

    /// The memory of the process with this `environment`.
    static func of(_ environment: ServerEnvironment) -> ManagedIdentityMemory {
        environment.memory.part(ManagedIdentityMemory.self) { ManagedIdentityMemory() }
    }

    /// The partition of an identity at a host. The letter case of an id does not matter.
    func partition(
        of identity: MSALManagedIdentityId,
        at source: MSALManagedIdentitySource
    ) -> AccessTokenCache.Partition {
        let kind =
            switch identity {
            case .systemAssigned: "system_assigned_managed_identity"
            case .clientId(let id), .objectId(let id), .resourceId(let id): id.lowercased()
            }
        return cache.partition(environment: source.kind.rawValue, clientID: kind)
    }

    /// The realm of every managed identity.
    static let realm = "managed_identity"
}
