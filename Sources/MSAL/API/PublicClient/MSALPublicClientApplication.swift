// Licensed under the MIT License. See LICENSE.

package import Dispatch
import MSALSupport
private import Synchronization

/// Signs users in and gets tokens for one app registration: the entry to the library.
///
/// Every call has an asynchronous form, which is the natural one, and one with a completion block. All errors are
/// `NSError`: in ``MSALErrorDomain``, or in `NSURLErrorDomain` if no response came. An object may be used from any
/// thread, and several may exist.
public class MSALPublicClientApplication: NSObject, @unchecked Sendable {
    // `Sendable` is unchecked because of this mutable object of the app's. It is only handed back and never read here.
    // Everything that calls use is a constant of a Sendable type. Not final: native authentication inherits.
    /// The configuration that the application was made with. The application works with a copy: changes have no effect.
    public let configuration: MSALPublicClientApplicationConfig

    let externalAccounts: ExternalAccounts
    let mainQueue: MainQueue
    /// `nil` in an application made without settings.
    let core: TokenClient?
    // Both are parts of the core. A copy of the whole core costs as much as a token from memory.
    private let hits: SilentHits?
    let telemetry: ServerTelemetry?
    private let earlier = Mutex(EarlierSettings())

    /// The settings on the object itself in MSAL 0.x and 1.x.
    struct EarlierSettings: Sendable {
        var validatesAuthority = true
        var webviewType = MSALWebviewType.default
        var customWebview: Carried<AnyObject>?
    }

    /// An application with the machine's network, browser, clock and token store.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail
    ///   -42000 for a blank client id, or where the sharing group, `MSAL_STORE_DIR` or `MSAL_STORE_KEY` makes no
    ///   sense; -42001 if no desktop entry registers the redirect URI's scheme; -42011 for a redirect URI of a form
    ///   that is not accepted; -42008 if it has a fragment, if `nestedAuthBrokerClientId` is set, or if the directory
    ///   of the token store is not the user's own. The description says what to change. Whether the store can be opened
    ///   shows at the first call that needs it.
    public convenience init(configuration config: MSALPublicClientApplicationConfig) throws {
        let machine = try throwingNSError { () throws(AuthError) in try SystemMachine(for: config) }
        try self.init(
            configuration: config,
            platform: machine.platform,
            store: machine.store,
            session: .shared,
            service: machine.service
        )
    }

    /// An application on a machine of the caller's choice.
    ///
    /// `session` is the process's one browser session, but in tests. `service` is the knowledge of the service so far.
    /// `registeredSchemes` are the URI schemes of the app's desktop entry; `nil` reads the entry. `mainQueue` is the
    /// process's, but in tests.
    ///
    /// - Throws: As ``init(configuration:)``, but for the store.
    package convenience init(
        configuration: MSALPublicClientApplicationConfig,
        platform: Platform,
        store: any TokenStore,
        session: CurrentSession,
        service: ServiceMemory = ServiceMemory(),
        registeredSchemes: Set<String>? = nil,
        mainQueue: DispatchQueue = .main
    ) throws {
        self.init(
            configuration: configuration,
            tokens: try Self.tokenClient(
                configuration,
                platform: platform,
                store: store,
                session: session,
                service: service,
                registeredSchemes: registeredSchemes
            ),
            mainQueue: mainQueue
        )
    }

    /// An application around a core that ``tokenClient(_:platform:store:session:service:registeredSchemes:)`` made.
    init(configuration: MSALPublicClientApplicationConfig, tokens: TokenClient, mainQueue: DispatchQueue = .main) {
        core = tokens
        hits = SilentHits(of: tokens)
        telemetry = tokens.telemetry
        self.mainQueue = MainQueue(mainQueue, time: tokens.platform.time)
        self.configuration = configuration
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
    }

    /// The core of an application, with the settings read once.
    ///
    /// - Throws: As ``init(configuration:)``, but for the store.
    static func tokenClient(
        _ configuration: MSALPublicClientApplicationConfig,
        platform: Platform,
        store: any TokenStore,
        session: CurrentSession,
        service: ServiceMemory,
        registeredSchemes: Set<String>?
    ) throws -> TokenClient {
        let applicationID = RegisteredSchemes.applicationID(
            configured: configuration.applicationID,
            environment: platform.environment
        )
        let settings = try throwingNSError { () throws(AuthError) in
            try configuration.snapshot(
                applicationID: applicationID,
                registeredSchemes: registeredSchemes
                    ?? RegisteredSchemes.scan(applicationID: applicationID, environment: platform.environment),
                replacement: platform.redirectURI
            )
        }
        return TokenClient(
            configuration: settings,
            platform: platform,
            store: store,
            session: session,
            service: service
        )
    }

    /// An application without settings, whose calls all fail with the detail -42000. Use ``init(configuration:)``.
    public override init() {
        configuration = MSALPublicClientApplicationConfig(clientId: "")
        externalAccounts = ExternalAccounts([])
        mainQueue = MainQueue(time: SystemTime())
        core = nil
        hits = nil
        telemetry = nil
    }

    /// An application with the default redirect URI and authority.
    ///
    /// - Throws: As ``init(configuration:)``.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }

    /// The version of this library.
    public class var sdkVersion: String? { LibraryVersion.text }

    /// Whether an identity broker is on this machine, whatever the settings say. No broker is started.
    ///
    /// The session bus is asked; a bus that does not respond within a quarter of a second has none for now.
    public var isCompatibleAADBrokerAvailable: Bool {
        core?.platform.broker.availabilityAtOnce().isPresent ?? false
    }

    /// The core, with the settings in force.
    ///
    /// - Throws: `.invalidParameter` for an application made without settings.
    package func client() throws(AuthError) -> TokenClient {
        guard var client = core else {
            throw AuthError(.invalidParameter, message: "Make the application with init(configuration:).")
        }
        client.configuration.isAuthorityValidationEnabled = earlierSettings.validatesAuthority
        client.configuration.allowsBroker = MSALGlobalConfig.brokerAvailability == .auto
        return client
    }

    /// The token of a request that can be served from memory, without a wait.
    func remembered(_ request: SilentRequest) -> TokenResult? {
        guard let hits else { return nil }
        let validates = earlier.withLock { $0.validatesAuthority }
        // As `Log.lines(of:_:)` does it for any result and any error. Being general costs a tenth of this call.
        return Log.$correlationID.withValue(request.token.correlationID) {
            hits.result(for: request, validatesAuthority: validates)
        }
    }

    /// The settings of MSAL 0.x and 1.x on the object itself.
    var earlierSettings: EarlierSettings {
        get { earlier.withLock { $0 } }
        set { earlier.withLock { $0 = newValue } }
    }
}
