// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The settings of an application object, which copies them: later changes have no effect.
///
/// ```swift
/// let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
/// configuration.authority = try MSALAADAuthority(url: URL(string: "https://login.microsoftonline.com/organizations")!)
/// let application = try MSALPublicClientApplication(configuration: configuration)
/// ```
///
/// Not thread-safe.
public class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The application ID of the registration. If it is blank, the application's initializer fails.
    public var clientId: String

    /// The redirect URI, as registered (RFC 6749 §3.1.2).
    ///
    /// `nil` means `msauth.<application ID>://auth` if a desktop entry of the app registers that scheme, otherwise
    /// `http://localhost` with a port that is chosen at run time.
    public var redirectUri: String?

    /// The authority of requests that do not specify one; `https://login.microsoftonline.com/common` by default.
    public var authority: MSALAuthority

    /// Authorities that are trusted without querying the service.
    ///
    /// Each entry applies to all tenants of its host or, for B2C, to all tenants of its policy, because the tenant of a
    /// user is only known at sign-in.
    public var knownAuthorities: [MSALAuthority] = []

    /// Whether to return an expired token within its extended lifetime while the service is down; `false` by default.
    public var extendedLifetimeEnabled = false

    /// The client's capabilities, such as `CP1`, sent in the claims parameter.
    public var clientApplicationCapabilities: [String]?

    /// How many seconds before its expiry a stored token counts as expired; 300 by default. Negative values count as
    /// zero.
    public var tokenExpirationBuffer: Double = 300

    /// A test slice of the service.
    public var sliceConfig: MSALSliceConfig?

    /// The settings of the token store.
    public private(set) var cacheConfig = MSALCacheConfig()

    /// Whether the service may redirect the user to another national cloud; `false` by default.
    public var multipleCloudsSupported = false

    /// Whether to accept every redirect URI without a fragment; `false` by default.
    public var bypassRedirectURIValidation = false

    /// The client ID of a hub app for nested app authentication; empty for none.
    ///
    /// Nested app authentication requires a broker: if this is set, the application's initializer fails with the detail
    /// -42008.
    public var nestedAuthBrokerClientId: String

    /// The redirect URI of the hub app.
    public var nestedAuthBrokerRedirectUri: String?

    // MARK: Linux only

    /// The app's reverse-DNS name, which is also the name of its desktop entry.
    ///
    /// `nil` uses the bundle's identifier, or the name from Flatpak or snap; a command-line program may have none.
    public var applicationID: String?

    /// The app's version, which is sent to the service together with its name.
    ///
    /// `nil` uses the version in the `Info.plist` of the main bundle; a program without either sends none.
    public var applicationVersion: String?

    /// A PEM file with additional certificate authorities to trust.
    ///
    /// Requests fail with `NSURLErrorDomain` -1202 as long as it cannot be read.
    public var caFile: URL?

    /// Whether to verify the signature of ID tokens at sign-in; `true` by default. The other checks cannot be turned
    /// off.
    public var verifiesIDTokenSignature = true

    /// How long the user may take in the browser; five minutes by default. Then the call ends with
    /// ``MSALError/userCanceled``.
    public var interactionTimeout: Duration = .seconds(300)

    /// A program with its arguments that opens the browser; `nil` uses the system's launchers, which are also tried if
    /// the program cannot be started.
    ///
    /// `%s` in an argument is replaced with the URL; otherwise the URL is appended. No shell is involved.
    public var browserCommand: [String]?

    /// Whether a browser may be started on this machine; `true` by default.
    ///
    /// If `false`, ``MSALWebviewParameters/onPaste`` and a device code are tried first. Then
    /// ``MSALWebviewParameters/onOpen`` receives the URL, and the request waits until it is opened on this machine.
    public var opensBrowser = true

    /// An additional IP address of this machine on which a sign-in waits for the browser, besides the loopback
    /// addresses; `nil` by default. Invalid text makes the application's initializer fail with -42000.
    ///
    /// `0.0.0.0` is for a container with a published port: `redirectUri` then has the same port on both sides, such as
    /// `http://localhost:8400`. Any machine that reaches the address can connect, and the owner of a connection cannot
    /// be determined, which is logged. As always, a redirect is only accepted with the state of the sign-in.
    public var listenAddress: String?

    /// Whether to query the service about clouds and their names; `true` by default.
    ///
    /// If `false`, only the authority's own host is contacted, and the URLs in its metadata.
    public var instanceDiscoveryEnabled = true

    /// Called by each silent call that tries to renew a token before its expiry, because the service asked for that
    /// (`refresh_in`), with the new token or the error. If the service is down, the call itself returns the old token.
    public var onBackgroundRefresh: (@Sendable (Result<MSALResult, any Error>) -> Void)?

    /// Creates settings with the default redirect URI and authority.
    public convenience init(clientId: String) {
        self.init(clientId: clientId, redirectUri: nil, authority: nil)
    }

    /// Creates settings of an application; `nil` means the default.
    public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.init(
            clientId: clientId,
            redirectUri: redirectUri,
            authority: authority,
            nestedAuthBrokerClientId: nil,
            nestedAuthBrokerRedirectUri: nil
        )
    }

    /// Creates settings of an application that runs in a hub app.
    public init(
        clientId: String,
        redirectUri: String?,
        authority: MSALAuthority?,
        nestedAuthBrokerClientId: String?,
        nestedAuthBrokerRedirectUri: String?
    ) {
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.authority = authority ?? MSALAuthority.make(.default)
        self.nestedAuthBrokerClientId = nestedAuthBrokerClientId ?? ""
        self.nestedAuthBrokerRedirectUri = nestedAuthBrokerRedirectUri
    }

    /// Returns an independent copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALPublicClientApplicationConfig(
            clientId: clientId,
            redirectUri: redirectUri,
            authority: authority,
            nestedAuthBrokerClientId: nestedAuthBrokerClientId,
            nestedAuthBrokerRedirectUri: nestedAuthBrokerRedirectUri
        )
        copySettings(to: copy)
        return copy
    }

    /// Copies all settings with a default to another configuration; also used by subclasses.
    func copySettings(to copy: MSALPublicClientApplicationConfig) {
        copy.knownAuthorities = knownAuthorities
        copy.extendedLifetimeEnabled = extendedLifetimeEnabled
        copy.clientApplicationCapabilities = clientApplicationCapabilities
        copy.tokenExpirationBuffer = tokenExpirationBuffer
        copy.sliceConfig = sliceConfig?.copy() as? MSALSliceConfig
        copy.cacheConfig = cacheConfig.copy() as? MSALCacheConfig ?? MSALCacheConfig()
        copy.multipleCloudsSupported = multipleCloudsSupported
        copy.bypassRedirectURIValidation = bypassRedirectURIValidation
        copy.applicationID = applicationID
        copy.applicationVersion = applicationVersion
        copy.caFile = caFile
        copy.verifiesIDTokenSignature = verifiesIDTokenSignature
        copy.interactionTimeout = interactionTimeout
        copy.browserCommand = browserCommand
        copy.opensBrowser = opensBrowser
        copy.listenAddress = listenAddress
        copy.instanceDiscoveryEnabled = instanceDiscoveryEnabled
        copy.onBackgroundRefresh = onBackgroundRefresh
    }

    /// Checks the certificate files in ``caFile`` and the environment variable `SSL_CERT_FILE`. Linux only.
    ///
    /// As long as the files cannot be read, requests fail with `NSURLErrorDomain` -1202, the error for an untrusted
    /// server. This call distinguishes the two.
    ///
    /// - Throws: Detail -42000 if a file cannot be read or contains no certificate. The description names it.
    public func checkTrust() throws {
        guard let fault = TrustRoots.fault(in: HTTPSettings(caFile: caFile)) else { return }
        throw AuthError(.invalidParameter, message: fault.message).nsError
    }
}

/// A test slice of the service and a data center, sent with every request.
public final class MSALSliceConfig: NSObject, NSCopying {
    /// The slice; empty if there is none.
    public var slice: String
    /// The data center; empty if there is none.
    public var dc: String

    /// - Returns: `nil` if both are missing.
    public init?(slice: String?, dc: String?) {
        guard slice != nil || dc != nil else { return nil }
        self.slice = slice ?? ""
        self.dc = dc ?? ""
    }

    private init(copyOf other: MSALSliceConfig) {
        slice = other.slice
        dc = other.dc
    }

    /// The values that are set, with the keys `slice` and `dc`.
    public var sliceDictionary: [AnyHashable: Any] { queryParameters }

    var queryParameters: [String: String] { ["slice": slice, "dc": dc].filter { !$0.value.isEmpty } }

    /// Returns an independent copy.
    public func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(copyOf: self) }
}
