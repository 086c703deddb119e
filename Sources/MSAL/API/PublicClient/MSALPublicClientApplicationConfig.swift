// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The settings of an application object, which copies them: later changes have no effect on it.
///
/// ```swift
/// let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
/// configuration.authority = try MSALAADAuthority(url: URL(string: "https://login.microsoftonline.com/organizations")!)
/// let application = try MSALPublicClientApplication(configuration: configuration)
/// ```
///
/// Not safe to use from two threads at once.
public class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The application id of the registration. Blank makes the application's initialiser fail.
    public var clientId: String

    /// The redirect URI, as it is registered (RFC 6749 §3.1.2).
    ///
    /// `nil` is `msauth.<application ID>://auth` where a desktop entry of the app registers that scheme, else
    /// `http://localhost` with a port that is chosen at run time.
    public var redirectUri: String?

    /// The authority of requests that name none; `https://login.microsoftonline.com/common` by default.
    public var authority: MSALAuthority

    /// Authorities that are taken as they are, without asking the service.
    ///
    /// Each entry holds for all tenants of its host. In B2C it holds for all tenants of its policy. The tenant of a
    /// user shows only at sign-in.
    public var knownAuthorities: [MSALAuthority] = []

    /// Whether an expired token in its extended life is given while the service is down; `false` by default.
    public var extendedLifetimeEnabled = false

    /// The capabilities of the client, such as `CP1`, sent in the claims parameter.
    public var clientApplicationCapabilities: [String]?

    /// Seconds before its end at which a stored token counts as expired; 300 by default. Negative ones count as zero.
    public var tokenExpirationBuffer: Double = 300

    /// A test slice of the service.
    public var sliceConfig: MSALSliceConfig?

    /// The choice of the token store.
    public private(set) var cacheConfig = MSALCacheConfig()

    /// Whether the service may move the user to another national cloud; `false` by default.
    public var multipleCloudsSupported = false

    /// Whether every redirect URI without a fragment is accepted; `false` by default.
    public var bypassRedirectURIValidation = false

    /// The client id of a hub app for nested app authentication; empty for none.
    ///
    /// Nested app authentication needs a broker: if this is set, the application's initialiser fails with the detail
    /// -42008.
    public var nestedAuthBrokerClientId: String

    /// The redirect URI of the hub app.
    public var nestedAuthBrokerRedirectUri: String?

    // MARK: Linux only

    /// The app's reverse-DNS name, which is also the name of its desktop entry.
    ///
    /// `nil` is the bundle's identifier, or what Flatpak or snap say; a command-line program may have none.
    public var applicationID: String?

    /// The app's version, which is sent to the service beside its name.
    ///
    /// `nil` is the version in the `Info.plist` of the main bundle; a program without either sends none.
    public var applicationVersion: String?

    /// A PEM file with certificate authorities to trust in addition to the system's.
    ///
    /// Requests fail with `NSURLErrorDomain` -1202 while it cannot be read.
    public var caFile: URL?

    /// Whether the signature of id tokens is checked at sign-in; `true` by default. The other checks cannot be
    /// switched off.
    public var verifiesIDTokenSignature = true

    /// How long the user may take in the browser; five minutes by default. Then the call ends with
    /// ``MSALError/userCanceled``.
    public var interactionTimeout: Duration = .seconds(300)

    /// A program with its arguments that opens the browser; `nil` is the system's way, which also follows if the
    /// program cannot be started.
    ///
    /// `%s` in an argument stands for the address; without it the address comes last. No shell is involved.
    public var browserCommand: [String]?

    /// Whether a browser may be started on this machine; `true` by default.
    ///
    /// When off, ``MSALWebviewParameters/onPaste`` and a device code come first. Then
    /// ``MSALWebviewParameters/onOpen`` gets the address, and the request waits for somebody to open it on this machine.
    public var opensBrowser = true

    /// An IP address of this machine on which a sign-in waits for the browser, besides those that only this machine
    /// reaches; `nil`, the default, adds none. An application with another text here is not made: -42000.
    ///
    /// `0.0.0.0` is for a container whose port is published: `redirectUri` then names the same port on both sides, such
    /// as `http://localhost:8400`. Every machine that reaches the address can connect, and the owner of a connection
    /// cannot be known: a line in the log says so. A redirect is taken only with the state of the sign-in, as always.
    public var listenAddress: String?

    /// Whether the service may be asked about clouds and their names; `true` by default.
    ///
    /// When off, only the authority's own host is contacted, and what its metadata name.
    public var instanceDiscoveryEnabled = true

    /// Settings with the default redirect URI and authority.
    public convenience init(clientId: String) {
        self.init(clientId: clientId, redirectUri: nil, authority: nil)
    }

    /// Settings of an application; `nil` stands for the defaults.
    public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.init(
            clientId: clientId,
            redirectUri: redirectUri,
            authority: authority,
            nestedAuthBrokerClientId: nil,
            nestedAuthBrokerRedirectUri: nil
        )
    }

    /// Settings of an application that runs in a hub app.
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

    /// A copy that can be changed without changing this one.
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

    /// Copies everything that has a default to another configuration; subclasses copy through it too.
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
    }
}
