// Licensed under the MIT License. See LICENSE.

import MSALCore
private import Synchronization

/// A request for a token without the user's help.
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
    /// Whether stored access tokens are passed over; `false` by default.
    public var forceRefresh = false { didSet { changed() } }

    /// Whether the app's own refresh token may be redeemed although an identity broker has the account; `true` by default.
    ///
    /// When on, stored tokens come first, and the broker is asked where none of them helps. When off, the broker is asked
    /// first, and its failure is the request's; the own refresh token serves accounts that no broker has.
    public var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// - Parameters:
    ///   - scopes: The scopes wanted.
    ///   - account: The account of the token; `nil` makes the request fail with ``MSALError/interactionRequired``.
    public init(scopes: [String], account: MSALAccount?) {
        super.init(scopes: scopes)
        self.account = account
    }

    /// The identity of the request, kept until a parameter changes.
    private let known = Mutex<RequestIdentity?>(nil)

    override func changed() { known.withLock { $0 = nil } }

    /// The identity of the request; `nil` where no token from memory may serve it.
    final var identity: RequestIdentity? {
        known.withLock { known in
            if let known { return known }
            guard SilentHits.mayServe(forcesRefresh: forceRefresh, asksForClaims: claimsRequest != nil),
                // A bound token has a key, which is looked for first.
                authenticationScheme == nil || authenticationScheme is MSALAuthenticationSchemeBearer,
                let account = account?.snapshot.reference, account.homeAccountID?.isEmpty == false
            else { return nil }
            known = RequestIdentity(account: account, authority: authority?.core, scopes: ScopeSet(scopes))
            return known
        }
    }
}
