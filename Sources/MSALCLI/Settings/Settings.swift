// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The settings of a command, from its flags, the environment and the profile.
struct Settings {
    static let defaultScopes = ["User.Read"]
    /// The application ID of the command. The service sees it, and the command's own token store has this name.
    static let applicationID = "msal.cli"

    /// Empty if no client ID is set and the command needs none: see ``init(_:scopes:redirect:needsClientID:)``.
    let clientID: String
    /// `nil` is the library's default authority: any account of the public cloud.
    let authority: MSALAuthority?
    let knownAuthorities: [MSALAuthority]
    /// The scopes requested by flag, environment or profile; may be empty.
    let chosenScopes: [String]
    /// The chosen scopes, or the command's default. Azure AD B2C has no Microsoft Graph for users. There the default is
    /// the client ID, which stands for a token of the app's own API (Microsoft's page "Request an access token in Azure
    /// Active Directory B2C").
    var scopes: [String] {
        if !chosenScopes.isEmpty { return chosenScopes }
        return isB2C ? [clientID] : Self.defaultScopes
    }
    var isB2C: Bool { authority is MSALB2CAuthority }
    /// Whether users sign in with a custom flow of the tenant. Such an authority has no device codes.
    var hasUserFlows: Bool { isB2C || authority is MSALCIAMAuthority }
    /// The address of the authority, for people.
    var authorityText: String { configuration().authority.url.absoluteString }
    /// The host of the authority, with its port; empty if it has none.
    var environment: String { ServiceHost(configuration().authority.url)?.environment ?? "" }
    let caFile: URL?
    /// The Microsoft Graph that the environment or the profile sets.
    let graph: URL?
    /// The redirect URI.
    let redirectURI: String
    /// The account that commands use unless another is named.
    let account: String?
    /// The profile that may store that account; `nil` if the profile is for another client, because accounts belong to
    /// a client.
    let accountProfile: String?

    /// Settings of this process.
    ///
    /// - Parameters:
    ///   - options: The flags.
    ///   - scopes: The scopes that the flags name.
    ///   - redirect: The flags for the redirect URI, if the command has them.
    ///   - needsClientID: Whether the command can do nothing without a client ID.
    /// - Throws: `Failure` with the status `usage`. It names the wrong setting and what to write.
    init(
        _ options: some ClientChoice,
        scopes: [String] = [],
        redirect: RedirectOptions? = nil,
        needsClientID: Bool = true
    ) throws(Failure) {
        let sources = try SettingSources(options, scopes: scopes)
        try self.init(sources, redirect: redirect, needsClientID: needsClientID)
    }

    init(_ sources: SettingSources, redirect: RedirectOptions? = nil, needsClientID: Bool = true) throws(Failure) {
        let (environment, profile) = (sources.environment, sources.profile)
        guard let clientID = sources.clientID ?? (needsClientID ? nil : "") else {
            throw .usage(
                "No client ID is set.",
                remedy: "Run msal setup. Or pass --client-id, set MSAL_CLIENT_ID, or \(Self.keepClientID)"
            )
        }
        self.clientID = clientID
        authority = try sources.authority.map(AuthorityChoice.authority)
        var knownAuthorities: [MSALAuthority] = []
        for text in sources.knownAuthorities { knownAuthorities.append(try AuthorityChoice.authority(text)) }
        self.knownAuthorities = knownAuthorities + AuthorityChoice.vouched(authority)
        chosenScopes = sources.scopes
        caFile = sources.caFile
        graph = try sources.graph.map(Self.graph)
        redirectURI = try Self.redirectURI(redirect, environment: environment, profile: profile)
        // The profile's account belongs to the profile's client.
        let isOfProfile = profile.clientID == nil || profile.clientID?.lowercased() == clientID.lowercased()
        account = (isOfProfile ? profile.account : nil) ?? profile.accounts[clientID.lowercased()]
        accountProfile = isOfProfile ? profile.name : nil
    }

    /// The command that keeps a client ID for every later command.
    static let keepClientID = "keep it in a profile: msal config set client_id ID"

    private static func redirectURI(
        _ options: RedirectOptions?,
        environment: [String: String],
        profile: Profile
    ) throws(Failure) -> String {
        let names = (port: "--port", uri: "--redirect-uri")
        let flag = try RedirectChoice(port: options?.port, uri: options?.redirectURI, names: names)
        let variable = "MSAL_REDIRECT_URI"
        let replacement = environment[variable]
        // The library applies the variable to every app, even if the app sets another redirect URI.
        if let flag, let replacement, replacement != flag.uri {
            throw .usage(
                "\(variable) overrides the redirect URI of every app with \(replacement).",
                remedy: "Unset it, or leave out --port and --redirect-uri."
            )
        }
        return flag?.uri ?? replacement ?? profile.redirect?.uri ?? RedirectChoice.defaultURI
    }

    /// The address of a Microsoft Graph.
    ///
    /// - Throws: `Failure` with the status `usage`, if it is not an https address.
    static func graph(_ text: String) throws(Failure) -> URL {
        guard let url = URL(string: text), url.scheme?.lowercased() == "https", url.host() != nil,
            url.query == nil, url.fragment == nil
        else {
            throw .usage(
                "The address of Microsoft Graph is not an https address: \(text)",
                remedy: "Write it in --graph-url, MSAL_GRAPH_URL or graph_url like https://graph.microsoft.com/"
            )
        }
        guard (1...65535).contains(url.port ?? 443) else {
            throw .usage(
                "The address of Microsoft Graph has an invalid port: \(text)",
                remedy: "Use a port from 1 to 65535, in --graph-url, MSAL_GRAPH_URL or graph_url."
            )
        }
        return url
    }

    /// The client ID of an application object that is never used to sign in. No app has it.
    private static let placeholderClientID = "00000000-0000-0000-0000-000000000000"

    /// Makes the library's application object for these settings.
    ///
    /// - Parameters:
    ///   - timeout: How long the user may take in the browser.
    ///   - opensBrowser: Whether a browser may be started; the page's address is told either way.
    ///   - mayAskToUnlock: Whether the desktop may ask for the password of a locked keyring.
    ///   - listenAddress: Where to wait for the browser instead of the addresses that only this machine reaches.
    /// - Returns: The application object, with the command's own store.
    /// - Throws: `NSError`, if the library does not accept the settings or finds no place for its store.
    func application(
        timeout: Duration = .seconds(300),
        opensBrowser: Bool = true,
        mayAskToUnlock: Bool = false,
        listenAddress: String? = nil
    ) throws -> MSALPublicClientApplication {
        let configuration = configuration()
        // Without a client ID, the object only tells how a sign-in would go here, which is the same for all apps.
        if clientID.isEmpty { configuration.clientId = Self.placeholderClientID }
        configuration.interactionTimeout = timeout
        configuration.listenAddress = listenAddress
        configuration.cacheConfig.allowsUnlockPrompt = mayAskToUnlock
        configuration.opensBrowser = opensBrowser
        let application = try checkingRedirect { try MSALPublicClientApplication(configuration: configuration) }
        // The application object lives until the process ends, which closes the store. Releasing all objects first
        // takes longer.
        _ = Unmanaged.passRetained(application)
        return application
    }

    /// The library's configuration for these settings.
    func configuration() -> MSALPublicClientApplicationConfig {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID,
            // The default is passed too. Without it, the library would look for a desktop entry of the command.
            redirectUri: redirectURI,
            authority: authority
        )
        apply(to: configuration)
        return configuration
    }

    /// Makes an application object. If the library refuses the redirect URI, the failure names that wrong setting.
    ///
    /// - Throws: `Failure` with the status `usage`, if that is the reason; else what `make` throws.
    func checkingRedirect<Application>(_ make: () throws -> Application) throws -> Application {
        do {
            return try make()
        } catch let error as NSError {
            guard error.storeFailure == nil else { throw error }
            switch error.internalError {
            // Two checks of the library give the last of these numbers when an application object is made. The check of
            // the store is passed on above. So here it is the check of the redirect URI.
            case .internalErrorInvalidRedirectURI, .internalErrorRedirectSchemeNotRegistered, .internalErrorUnexpected:
                throw Failure.usage(error.userMessage, remedy: Self.redirectRemedy)
            default: throw error
            }
        }
    }

    private static let redirectRemedy = """
        Correct --redirect-uri, MSAL_REDIRECT_URI, or redirect_uri in the profile. It must also be in the app \
        registration, under Mobile and desktop applications.
        """

    /// The settings for every kind of application object: trust, the command's name and the command's own store.
    func apply(to configuration: MSALPublicClientApplicationConfig) {
        // A person waits for the result: two attempts and the pause between them take less than thirty seconds.
        MSALGlobalConfig.httpConfig.timeoutIntervalForRequest = 14.5
        configuration.knownAuthorities = knownAuthorities
        configuration.caFile = caFile
        configuration.applicationID = Self.applicationID
        configuration.applicationVersion = MSALPublicClientApplication.sdkVersion
        configuration.cacheConfig.keychainSharingGroup = Self.applicationID
    }

    /// Rejects a B2C authority at a custom host of the tenant, unless a setting says that the host is trusted. The
    /// service cannot be asked whether it is.
    ///
    /// - Throws: `Failure` with the status `usage`, which names that setting.
    func checkAuthority() throws(Failure) {
        guard let authority, isB2C, let host = ServiceHost(authority.url), !isKnown(host) else { return }
        throw .usage(
            "\(host.name) is not known as a host of Azure AD B2C, so it is not trusted.",
            remedy: "If it is your tenant's, add: --known-authority \(authority.url.absoluteString)"
        )
    }

    /// Whether the command trusts the host: it is this machine, a host of a cloud, or in the settings. The library
    /// itself compares more than the host.
    private func isKnown(_ host: ServiceHost) -> Bool {
        host.isLoopback || Cloud.of(host: host.environment) != nil
            || knownAuthorities.contains { ServiceHost($0.url) == host }
    }

    /// Runs work that needs the network. If no response comes and a file of certificates cannot be read, the failure
    /// names that setting. The files are read only then, because tokens from the store need no network.
    ///
    /// - Returns: What `work` returns.
    /// - Throws: `Failure` with the status `usage`, if that is the reason; else what `work` throws.
    func connected<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            let hasNoResponse = (error as? Failure)?.status == .network || (error as NSError).domain == NSURLErrorDomain
            if hasNoResponse { try checkTrust() }
            throw error
        }
    }

    private func checkTrust() throws(Failure) {
        do {
            try configuration().checkTrust()
        } catch {
            throw .usage((error as NSError).userMessage, remedy: Self.trustRemedy)
        }
    }

    /// The remedy, which lists all places that name a file of certificates.
    static let trustRemedy = "Correct --ca-file, MSAL_CA_FILE, ca_file in the profile, or SSL_CERT_FILE."
}
