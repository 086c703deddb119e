// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// A request for a token without user interaction.
///
/// ```swift
/// let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
/// do {
///     return try await application.acquireTokenSilent(with: parameters)
/// } catch let error as NSError where error.domain == MSALErrorDomain
///     && error.code == MSALError.interactionRequired.rawValue
/// {
///     return try await application.acquireToken(with: interactive)
/// }
/// ```
public final class MSALSilentTokenParameters: MSALTokenParameters {
    /// Whether to ignore stored access tokens; `false` by default.
    public var forceRefresh = false { didSet { changed() } }

    /// Whether the app's own refresh token may be redeemed although an identity broker has the account; `true` by
    /// default.
    ///
    /// If `true`, stored tokens are tried first, and the broker is called if none of them can be used. If `false`, the
    /// broker is called first, and its failure is the request's; the app's own refresh token is used for accounts that
    /// no broker has.
    public var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - account: The account for which to get a token; with `nil`, the request fails with
    ///     ``MSALError/interactionRequired``.
    public init(scopes: [String], account: MSALAccount?) {
        super.init(scopes: scopes)
        self.account = account
    }

    /// What the parameters keep until one of them changes by which the identities of requests differ.
    private struct Kept {
        var request: SilentRequest?
        /// The identity of the request; `nil` where no token from memory may serve it. A hit reads this reference only.
        var identity: RequestIdentity?
    }

    private let kept = Mutex(Kept())

    override func changed() { kept.withLock { $0 = Kept() } }

    /// The identity of the request; `nil` where no token from memory may serve it. `correlationID` is that of the call.
    final func identity(_ correlationID: UUID) -> RequestIdentity? {
        kept.withLock { kept in
            if let identity = kept.identity { return identity }
            keep(&kept, correlationID)
            return kept.identity
        }
    }

    /// Creates the core's request from these values.
    ///
    /// `correlationID`: The ID that the call already has.
    final func snapshot(_ correlationID: UUID? = nil) throws(AuthError) -> SilentRequest {
        let id = correlationID ?? correlationId ?? .random()
        let request = kept.withLock { kept in
            keep(&kept, id)
            return kept.request
        }
        guard let request else { return try parsed(id) }
        // These are not part of the identity, so they are read for each call.
        return request.with(
            correlationID: id,
            extraQueryParameters: extraQueryParameters ?? [:],
            mayUseOwnRefreshToken: allowUsingLocalCachedRtWhenSsoExtFailed
        )
    }

    /// Parses the request unless it is kept already. A request for claims is not kept, because an app may change its claims
    /// unnoticed. Neither is one for a bound token, because its key is looked up for each call.
    private func keep(_ kept: inout Kept, _ correlationID: UUID) {
        guard kept.request == nil, claimsRequest == nil,
            authenticationScheme == nil || authenticationScheme is MSALAuthenticationSchemeBearer,
            let request = try? parsed(correlationID)
        else { return }
        kept = Kept(request: request, identity: request.acceptsStoredToken ? request.identity : nil)
    }
}
