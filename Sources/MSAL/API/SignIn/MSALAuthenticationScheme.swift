// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The type of access token. Apps cannot add their own: a request with one fails with -42008.
public protocol MSALAuthenticationSchemeProtocol: NSObjectProtocol {
    /// The requested type of token.
    var scheme: MSALAuthScheme { get }
    /// The name of the scheme in an `Authorization` header.
    var authenticationScheme: String { get }
}

/// The types of access tokens.
public enum MSALAuthScheme: UInt, Sendable {
    /// Every holder of the token can use it (RFC 6750); the default.
    case bearer = 0
    /// The token is bound to a key of this device.
    case pop = 1
}

/// Plain bearer tokens (RFC 6750).
public final class MSALAuthenticationSchemeBearer: NSObject, MSALAuthenticationSchemeProtocol, Sendable {
    /// The default scheme.
    public override init() {}

    /// The scheme, which is always `bearer`.
    public var scheme: MSALAuthScheme { .bearer }
    /// `Bearer`.
    public var authenticationScheme: String { "Bearer" }
}

/// Proof-of-possession tokens: bound to a key of this machine, and valid for one HTTP request at a time.
///
/// The result's access token is the token in a signature over method, URL, and nonce; send it with the result's
/// `authorizationHeader`. Request one before each HTTP request: the signature is new each time, and servers accept it
/// for a few minutes.
///
/// The key is the app's own, an ``MSALExternalKeyPair``, or an RSA key in a file next to the token store, with mode
/// 0600. If it cannot be read or created, requests fail with ``MSALError/internal`` and the detail -42008.
public final class MSALAuthenticationSchemePop: NSObject, MSALAuthenticationSchemeProtocol {
    /// The method of the request that the token is for.
    let httpMethod: MSALHttpMethod
    /// The URL of that request.
    let requestURL: URL
    /// The server's nonce, if it sent one.
    let nonce: String?
    /// The app's parameters. They are only returned: the signed part has no app-specific members.
    let additionalParameters: [AnyHashable: Any]?
    /// The app's own key; `nil` uses the key of this machine.
    let externalKeyPair: MSALExternalKeyPair?

    /// Binds the token to the key of this machine.
    ///
    /// - Parameters:
    ///   - httpMethod: The method of the request that the token is for.
    ///   - requestUrl: The URL of that request.
    ///   - nonce: The server's nonce; `nil` for a random one.
    ///   - additionalParameters: Not used on Linux: the signed part has no app-specific members.
    public convenience init(
        httpMethod: MSALHttpMethod,
        request requestUrl: URL,
        nonce: String?,
        additionalParameters: [AnyHashable: Any]?
    ) {
        self.init(
            httpMethod: httpMethod,
            request: requestUrl,
            nonce: nonce,
            additionalParameters: additionalParameters,
            externalKeyPair: nil
        )
    }

    /// Binds the token to an app's own key.
    ///
    /// - Parameters:
    ///   - httpMethod: The method of the request that the token is for.
    ///   - requestUrl: The URL of that request.
    ///   - nonce: The server's nonce; `nil` for a random one.
    ///   - additionalParameters: Not used on Linux: the signed part has no app-specific members.
    ///   - externalKeyPair: The app's key. Later silent calls need the same one: a token for another key is not found,
    ///     and the refresh token is used to get a new one. `nil` uses the key of this machine.
    public init(
        httpMethod: MSALHttpMethod,
        request requestUrl: URL,
        nonce: String?,
        additionalParameters: [AnyHashable: Any]?,
        externalKeyPair: MSALExternalKeyPair?
    ) {
        self.httpMethod = httpMethod
        requestURL = requestUrl
        self.nonce = nonce
        self.additionalParameters = additionalParameters
        self.externalKeyPair = externalKeyPair
    }

    /// Creates the core's request from these values.
    var request: SignedHTTPRequest {
        SignedHTTPRequest(method: MSALParameterStringForHttpMethod(httpMethod), url: requestURL, nonce: nonce)
    }

    /// The scheme, which is always `pop`.
    public var scheme: MSALAuthScheme { .pop }
    /// `Pop`.
    public var authenticationScheme: String { "Pop" }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The method of an HTTP request (RFC 9110 §9).
public enum MSALHttpMethod: UInt, Sendable {
    /// GET.
    case GET = 0
    /// HEAD.
    case HEAD = 1
    /// POST.
    case POST = 2
    /// PUT.
    case PUT = 3
    /// DELETE.
    case DELETE = 4
    /// CONNECT.
    case CONNECT = 5
    /// OPTIONS.
    case OPTIONS = 6
    /// TRACE.
    case TRACE = 7
    /// PATCH.
    case PATCH = 8
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of a method, as it appears in a request.
public func MSALParameterStringForHttpMethod(_ httpMethod: MSALHttpMethod) -> String! {
    "\(httpMethod)"
}
