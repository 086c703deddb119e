// Licensed under the MIT License. See LICENSE.

public import GRPCCore
public import MSALServer

/// Adds an access token to each call. Use it on connections with TLS; use plain connections only on one machine.
public struct TokenClientInterceptor: ClientInterceptor {
    private let scopes: [String]
    private let token: @Sendable ([String]) async throws(MSALTokenError) -> MSALTokenResult

    /// Calls as the application: with a confidential client, a managed identity, or any other credential.
    ///
    /// - Parameters:
    ///   - credential: One for the life of the process, because it holds the tokens.
    ///   - scopes: The scopes of the called service, as `["api://<its client ID>/.default"]`.
    public init(application credential: any MSALTokenCredential, scopes: [String]) {
        self.scopes = scopes
        token = { scopes async throws(MSALTokenError) in
            try await credential.token(for: MSALTokenRequest(scopes: scopes))
        }
    }

    /// Calls on behalf of the user whose call is being served. It requires a ``TokenServerInterceptor``.
    public init(userOf application: MSALConfidentialClientApplication, scopes: [String]) {
        self.scopes = scopes
        token = { scopes async throws(MSALTokenError) in
            guard let caller = Caller.current else {
                throw MSALTokenError(kind: .credentialUnavailable, message: "No call with a token is being served here.")
            }
            return try await application.acquireTokenOnBehalfOf(caller.validatedToken, scopes: scopes)
        }
    }

    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        var request = request
        do throws(MSALTokenError) {
            // From memory, or from the service if the token is about to expire.
            request.metadata.replaceOrAddString(try await token(scopes).authorizationHeader, forKey: "authorization")
        } catch {
            throw RPCError(code: error.isRetryable ? .unavailable : .unauthenticated, message: error.message, cause: error)
        }
        return try await next(request, context)
    }
}
