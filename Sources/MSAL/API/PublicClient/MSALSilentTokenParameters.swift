// Licensed under the MIT License. See LICENSE.

import MSALCore
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

    /// The identity of the request, cached until a parameter changes.
    private let known = Mutex<RequestIdentity?>(nil)

    override func changed() { known.withLock { $0 = nil } }

    /// The identity of the request; `nil` if it must not be answered from memory.
    final var identity: RequestIdentity? {
        known.withLock { known in
            if let known { return known }
            guard SilentHits.mayServe(forcesRefresh: forceRefresh, asksForClaims: claimsRequest != nil),
                // A bound token has a key, which is looked up first.
                authenticationScheme == nil || authenticationScheme is MSALAuthenticationSchemeBearer,
                let account = account?.snapshot.reference, account.homeAccountID?.isEmpty == false
            else { return nil }
            known = RequestIdentity(account: account, authority: authority?.core, scopes: ScopeSet(scopes))
            return known
        }
    }
}
