// Licensed under the MIT License. See LICENSE.

public import Dispatch

/// The base of all parameter objects. They are read when a call begins; later changes do not touch it.
///
/// Not safe to use from two threads at once.
public class MSALParameters: NSObject {
    /// The queue of the completion block; `nil` by default.
    ///
    /// Without a queue the block of an interactive sign-in or of a sign-out runs on the main queue, if the program
    /// serves that. The blocks of account and device queries run before the call returns, if no identity broker has to be
    /// asked. All others run straight from the task, on any thread. A program whose main thread does not serve the main queue must not name it: its blocks
    /// would never run. See ``MSALGlobalConfig/defaultCompletionBlockQueue``.
    public var completionBlockQueue: DispatchQueue?

    /// Parameters without a queue.
    public override init() {}
}

/// The base of the parameters of token requests.
public class MSALTokenParameters: MSALParameters {
    /// The scopes wanted, of one API.
    ///
    /// `openid`, `profile` and `offline_access` are added by the library; a request that names one of them fails with
    /// the detail -42000.
    public var scopes: [String] { didSet { changed() } }

    /// The account that a token is wanted for.
    ///
    /// A silent request uses this account's tokens only. The browser offers it, but the user may sign in with another:
    /// compare the result's account. A sign-in through the identity broker as another account fails with -42101.
    public var account: MSALAccount? { didSet { changed() } }

    /// The authority to ask instead of the application's; one of another kind fails with the detail -42000.
    public var authority: MSALAuthority? { didSet { changed() } }

    /// Claims that the token must carry; a silent request with one does not use stored access tokens.
    public var claimsRequest: MSALClaimsRequest? { didSet { changed() } }

    /// More query parameters for the authorization and the token request, not percent-encoded.
    public var extraQueryParameters: [String: String]?

    /// The id by which the service's logs know the request; a random one if `nil`.
    public var correlationId: UUID?

    /// The kind of token; bearer if `nil`.
    ///
    /// ``MSALAuthenticationSchemeBearer`` and ``MSALAuthenticationSchemePop`` are possible; a request with a kind of
    /// the app's own fails with the detail -42008.
    public var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? { didSet { changed() } }

    /// Parameters for these scopes.
    public init(scopes: [String]) {
        self.scopes = scopes
    }

    /// Called after a change of a parameter by which requests differ. A subclass forgets here what it remembers of
    /// them.
    func changed() {}
}

/// The service's demand on the user (OpenID Connect Core §3.1.2.1).
public enum MSALPromptType: UInt, Sendable {
    /// The service lets the user choose among accounts.
    case selectAccount = 0
    /// The service asks for credentials, whatever the browser remembers.
    case login = 1
    /// The service asks for consent again.
    case consent = 2
    /// The service shows the sign-up page first.
    case create = 3
    /// The service decides what it asks for.
    case promptIfNecessary = 4

    /// The prompt of requests that set none: `promptIfNecessary`.
    public static var `default`: MSALPromptType { .promptIfNecessary }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The way of signing in that the service shall prefer.
public enum MSALPreferredAuthMethod: UInt, Sendable {
    /// The app prefers no credential.
    case none = 0
    /// The app prefers a QR code with a PIN.
    case QRPIN = 1
}
