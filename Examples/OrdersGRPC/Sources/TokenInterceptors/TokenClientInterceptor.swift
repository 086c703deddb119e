// Licensed under the MIT License. See LICENSE.

public import GRPCCore
public import MSALServer

/// Adds an access token to each call. Use it on connections with TLS; plain ones are for this machine.
public struct TokenClientInterceptor: ClientInterceptor {
    private let scopes: [String]
    private let token: @Sendable ([String]) async throws(MSALTokenError) -> MSALTokenResult

    /// Calls in the application's own name: of a confidential client, a managed identity, or any other credential.
    ///
    /// - Parameters:
    ///   - credential: One for the life of the process, because it holds the tokens.
    ///   - scopes: The called service, as `["api://<its client id>/.default"]`.
    public init(application credential: any MSALTokenCredential, scopes: [String]) {
        self.scopes = scopes
        token = { scopes async throws(MSALTokenError) in
            try await credential.token(for: MSALTokenRequest(scopes: scopes))
        }
    }

    /// Calls on behalf of the user whose call is being served. It stands behind a ``TokenServerInterceptor``.
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
            // From the memory, or from the service if that one is at its end.
            request.metadata.replaceOrAddString(try await token(scopes).authorizationHeader, forKey: "authorization")
        } catch {
            throw RPCError(code: error.isRetryable ? .unavailable : .unauthenticated, message: error.message, cause: error)
        }
        return try await next(request, context)
    }
}
