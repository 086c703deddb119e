// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// A user's tokens by name and password (RFC 6749 §4.3). It exists for environments whose variables name a user.
final class UserPasswordCredential: MSALTokenCredential {
    private let clientID: String
    private let authority: Authority
    private let user: String
    private let password: Secret
    private let capabilities: [String]
    private let environment: ServerEnvironment
    private let tokens: AccessTokenSource
    private let partition: AccessTokenCache.Partition

    init(
        clientID: String,
        authority: URL,
        user: String,
        password: Secret,
        options: MSALCredentialOptions,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        let environment = environment.applying(options)
        capabilities = options.capabilities
        self.clientID = clientID
        self.authority = try environment.authority(.url(authority), allowsEmulator: options.allowsEmulator)
        self.user = user
        self.password = password
        self.environment = environment
        // The keys of the cache do not name the user, so this credential has a cache of its own.
        let cache = AccessTokenCache()
        tokens = AccessTokenSource(cache: cache, environment: environment)
        partition = cache.partition(environment: self.authority.environment, clientID: clientID)
    }

    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        guard !request.scopes.isEmpty else {
            throw MSALTokenError(.invalidScopes, message: "No scope was given. Ask for <resource>/.default.")
        }
        let options = request.options
        let scope = request.scopes.count == 1 ? request.scopes[0] : request.scopes.joined(separator: " ")
        let key = AccessTokenKey(partition: partition, realm: options.tenant ?? authority.tenant ?? "", target: scope)
        let reason: MSALTokenResult.Reason
        switch tokens.lookup(key, options: options, at: environment.time.wholeSeconds) {
        case .hit(let token): return MSALTokenResult(token, source: .cache)
        case .miss(let cause): reason = cause
        }
        return try await environment.measured { () throws(MSALTokenError) in
            try await tokens.fetch(key, because: reason, options: options) { [self] () throws(MSALTokenError) in
                try await signIn(scope, scopes: request.scopes, options: options)
            }
        }
    }

    private func signIn(
        _ scope: String,
        scopes: [String],
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> CachedAccessToken {
        let correlationID = options.correlationID ?? .random()
        let authority = options.tenant.map(authority.replacingTenant) ?? authority
        let network = KnownClouds.metadata(for: authority.environment)?.network(of: authority) ?? authority
        var form = FormBody()
        form.set(.grantType, to: "password")
        form.set(.clientID, to: clientID)
        form.set(.scope, to: scope)
        form.set("username", to: user)
        form.set("password", to: password.exposed)
        form.set(.claims, to: try options.claims(with: capabilities))
        var message = TokenEndpoint.Request(form, to: network.endpoint(.token), correlationID: correlationID)
        message.repetition = .unlessSent
        return try CachedAccessToken(
            try await environment.tokens(for: message),
            scopes: scopes,
            tenant: options.tenant ?? authority.tenant,
            correlationID: correlationID,
            jitter: environment.jitter
        )
    }
}
