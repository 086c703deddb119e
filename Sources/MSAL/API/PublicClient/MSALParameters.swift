// Licensed under the MIT License. See LICENSE.

public import Dispatch

/// The base of all parameter objects. They are read when a call begins; later changes have no effect.
///
/// Not thread-safe.
public class MSALParameters: NSObject {
    /// The queue for the completion block; `nil` by default.
    ///
    /// Without a queue, the block of an interactive sign-in or of a sign-out runs on the main queue, if the program
    /// services it. The blocks of account and device queries run before the call returns, unless an identity broker has
    /// to be called. All others run directly in the task, on any thread. A program whose main thread does not service
    /// the main queue must not specify it: its blocks would never run. See
    /// ``MSALGlobalConfig/defaultCompletionBlockQueue``.
    public var completionBlockQueue: DispatchQueue?

    /// Creates parameters without a queue.
    public override init() {}
}

/// The base of the parameters of token requests.
public class MSALTokenParameters: MSALParameters {
    /// The requested scopes, of one API.
    ///
    /// The library adds `openid`, `profile`, and `offline_access`; a request that specifies one of them fails with the
    /// detail -42000.
    public var scopes: [String] { didSet { changed() } }

    /// The account for which to get a token.
    ///
    /// A silent request only uses this account's tokens. The browser offers it, but the user may sign in with another:
    /// compare the result's account. A sign-in through the identity broker with another account fails with -42101.
    public var account: MSALAccount? { didSet { changed() } }

    /// The authority to use instead of the application's; one of another type fails with the detail -42000.
    public var authority: MSALAuthority? { didSet { changed() } }

    /// Claims that the token must contain; a silent request with claims does not use stored access tokens.
    public var claimsRequest: MSALClaimsRequest? { didSet { changed() } }

    /// Additional query parameters for the authorization and the token request, not percent-encoded.
    public var extraQueryParameters: [String: String]?

    /// The correlation ID of the request, which also appears in the service's logs; random if `nil`.
    public var correlationId: UUID?

    /// The type of token; `nil` for a bearer token.
    ///
    /// Supports ``MSALAuthenticationSchemeBearer`` and ``MSALAuthenticationSchemePop``; a request with an app's own
    /// scheme fails with the detail -42008.
    public var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? { didSet { changed() } }

    /// Creates parameters for these scopes.
    public init(scopes: [String]) { self.scopes = scopes }

    /// Called after a change of a parameter that distinguishes requests. Subclasses clear cached values here.
    func changed() {}
}

/// How the service prompts the user (OpenID Connect Core §3.1.2.1).
public enum MSALPromptType: UInt, Sendable {
    /// The service lets the user choose an account.
    case selectAccount = 0
    /// The service asks for credentials, regardless of the browser's session.
    case login = 1
    /// The service asks for consent again.
    case consent = 2
    /// The service shows the sign-up page first.
    case create = 3
    /// The service decides.
    case promptIfNecessary = 4

    /// The prompt of requests that do not set one: `promptIfNecessary`.
    public static var `default`: MSALPromptType { .promptIfNecessary }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The sign-in method that the service should prefer.
public enum MSALPreferredAuthMethod: UInt, Sendable {
    /// The app prefers no credential.
    case none = 0
    /// The app prefers a QR code with a PIN.
    case QRPIN = 1
}
