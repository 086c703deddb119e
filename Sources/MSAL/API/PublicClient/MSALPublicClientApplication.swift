// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import MSALBase
import MSALCore
import Synchronization

/// Signs users in and gets tokens for one app registration: the entry point of the library.
///
/// ```swift
/// let application = try MSALPublicClientApplication(
///     configuration: MSALPublicClientApplicationConfig(clientId: clientID)
/// )
/// let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"])
/// let result = try await application.acquireToken(with: parameters)
/// print("Hello, \(result.account.username ?? "stranger")!")
/// ```
///
/// Every method has an asynchronous variant, which is preferred, and one with a completion block. All errors are
/// `NSError`: in ``MSALErrorDomain``, or in `NSURLErrorDomain` if there was no response. An object may be used from any
/// thread, and several may exist.
///
/// An app's tests may override the methods in a subclass. Neither variant of a method calls the other: override the
/// variant that the app calls.
open class MSALPublicClientApplication: NSObject, RedactedReflection, @unchecked Sendable {
    // Open because apps' tests stub the library by subclassing, as on Apple platforms, where every class can be
    // subclassed. `Sendable` is unchecked because of the configuration, a mutable object of the app that is only
    // returned, never read. All other properties are constants of a Sendable type.
    private final let givenConfiguration: MSALPublicClientApplicationConfig

    /// The configuration with which the application was created. The application uses a copy: changes have no effect.
    open var configuration: MSALPublicClientApplicationConfig { givenConfiguration }

    final let externalAccounts: ExternalAccounts
    final let mainQueue: MainQueue
    /// `nil` in an application that was created without settings.
    final let core: TokenClient?
    // `memory` and `telemetry` are parts of `core`. Tokens from memory need only these: with `core`, all threads would
    // update its one reference count.
    final let memory: ClientMemory?
    final let telemetry: ServerTelemetry?
    final let earlier = Mutex(EarlierSettings())
    /// A copy of the value in `earlier`, which calls that memory serves read without a lock.
    final let validatesAuthority = Atomic(true)

    /// The settings on the object itself in MSAL 0.x and 1.x.
    struct EarlierSettings: Sendable {
        var validatesAuthority = true
        var webviewType = MSALWebviewType.default
        var customWebview: UncheckedSendable<AnyObject>?
    }

    /// Creates an application with the machine's network, browser, clock, and token store.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for a blank client ID, or if the sharing
    ///   group, `MSAL_STORE_DIR`, or `MSAL_STORE_KEY` is invalid; -42001 if no desktop entry registers the redirect
    ///   URI's scheme; -42011 for a redirect URI of an unsupported form; -42008 if it has a fragment, if
    ///   `nestedAuthBrokerClientId` is set, or if the directory of the token store does not belong to the user. The
    ///   description states what to change. Whether the store can be opened is only known after the first call that
    ///   needs it.
    public init(configuration config: MSALPublicClientApplicationConfig) throws {
        let machine = try throwingNSError { () throws(AuthError) in try SystemMachine(for: config) }
        let tokens = try Self.tokenClient(
            config,
            platform: machine.platform,
            store: machine.store,
            session: .shared,
            service: machine.service
        )
        (core, memory, telemetry) = (tokens, tokens.memory, tokens.telemetry)
        mainQueue = MainQueue(time: tokens.platform.time)
        givenConfiguration = config
        externalAccounts = ExternalAccounts(config.cacheConfig.externalAccountProviders)
    }

    /// Creates an application with a core from ``tokenClient(_:platform:store:session:service:registeredSchemes:)``.
    init(configuration: MSALPublicClientApplicationConfig, tokens: TokenClient, mainQueue: DispatchQueue = .main) {
        (core, memory, telemetry) = (tokens, tokens.memory, tokens.telemetry)
        self.mainQueue = MainQueue(mainQueue, time: tokens.platform.time)
        givenConfiguration = configuration
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
    }

    /// Creates an application without settings, whose calls all fail with the detail -42000. Use
    /// ``init(configuration:)``.
    public override init() {
        (core, memory, telemetry) = (nil, nil, nil)
        mainQueue = MainQueue(time: SystemTime())
        givenConfiguration = MSALPublicClientApplicationConfig(clientId: "")
        externalAccounts = ExternalAccounts([])
    }

    /// Creates an application with the default redirect URI and authority.
    ///
    /// - Throws: The same errors as ``init(configuration:)``.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }

    /// The version of this library.
    open class var sdkVersion: String? { LibraryVersion.text }

    /// Whether this machine has an identity broker, regardless of the settings. Does not start a broker.
    ///
    /// Queries the session bus; if the bus does not respond within a quarter of a second, the result is `false` for
    /// now.
    open var isCompatibleAADBrokerAvailable: Bool {
        core?.platform.broker.quickAvailability().isPresent ?? false
    }

    // The methods are declared here and implemented in extensions: Swift lets a subclass override only methods that the
    // class itself declares.

    // MARK: Tokens

    /// Signs the user in through the identity broker of this machine or through the browser, and gets a token.
    ///
    /// A broker is tried first, if there is one and ``MSALGlobalConfig/brokerAvailability`` permits it: if the device
    /// is signed in, no page is shown. Otherwise, the library opens the sign-in page in the user's browser. The
    /// response arrives at a port of this machine or through the app's own scheme. If no browser can be started, the
    /// user may open the page elsewhere, if the app sets ``MSALWebviewParameters/onPaste`` or
    /// ``MSALInteractiveTokenParameters/onDeviceCode``; see ``signInPlan(for:)``. Canceling the task ends the wait, as
    /// does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token, which is stored together with what is needed to renew it. `isPersisted` is `false` if it
    ///   could not be stored. A token of the broker stays in memory, and the store only receives the account.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: do nothing. ``MSALError/serverDeclinedScopes``: use the result
    ///   in `MSALInvalidResultKey`, or try again. ``MSALError/internal`` with -42402: another sign-in of this process
    ///   is in progress; with -42000 or -42010: correct the parameters or the authority; with -42011: free the port of
    ///   the redirect; with -42008: no sign-in mode works on this machine, and the description states why; with -42501
    ///   or -42600: the response failed a check and nothing is stored, start again; with -42007: try again later. From
    ///   the broker: -42101 if a different account signed in than the requested one; -42700, -42705, or -42711 if it
    ///   does not respond, returns an invalid response, or fails: specify other ``MSALInteractiveTokenParameters/modes``
    ///   then; -42714 if it is the only mode and does not support this; ``MSALError/workplaceJoinRequired`` if the
    ///   device must be registered. `NSURLErrorDomain`: try again when the network is available.
    /// - SeeAlso: RFC 6749 §4.1, RFC 7636, RFC 8252.
    open func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult {
        try await acquireInteractively(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in through the browser and gets a token; see
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    ///
    /// The block runs on the queue of the parameters, otherwise on the main queue if the program services it, otherwise
    /// directly in the task. If the parameters are invalid and have no queue, a call from the main thread runs it
    /// before it returns.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireInteractively(with: parameters, to: completionBlock)
    }

    /// Gets a token without user interaction: from the store, with the account's refresh token, or from the identity
    /// broker of this machine.
    ///
    /// - Returns: A token that is valid for longer than the configuration's `tokenExpirationBuffer`; while the service
    ///   is down, possibly an older one.
    /// - Throws: `NSError`. ``MSALError/interactionRequired``: call
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)``. ``MSALError/serverDeclinedScopes``,
    ///   ``MSALError/workplaceJoinRequired``, `NSURLErrorDomain`, and the details of ``MSALError/internal`` as there;
    ///   also -42008 if the token store cannot be used, with a remedy in the description, and -42102 if several
    ///   accounts have the user name of an account without an identifier.
    /// - SeeAlso: RFC 6749 §6.
    open func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        let id = parameters.correlationId ?? .random()
        let (result, remembered) = resultFromMemory(parameters.identity(id), correlationID: id)
        if let result { return result }
        let request = Result { () throws(AuthError) in try parameters.snapshot(id) }
        return try await acquireSilently(request, remembered: remembered)
    }

    /// Gets a token without user interaction; see ``acquireTokenSilent(with:)``.
    ///
    /// The block runs on the queue of the parameters, otherwise directly in the task, on any thread. If the parameters
    /// are invalid and have no queue, it is called before this method returns.
    @preconcurrency
    open func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireSilently(with: parameters, to: completionBlock)
    }

    /// Signs the user in with a code that is entered in a browser on another device, and gets a token. Linux only.
    ///
    /// This is for machines without a browser. Many tenants block it: prefer
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` with ``MSALWebviewParameters/onPaste``. The service is
    /// polled at the interval that it specifies, until the user has signed in or the code expires. Canceling the task
    /// ends the wait, as does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token, which is stored together with what is needed to renew it. `isPersisted` is `false` if it
    ///   could not be stored.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: the user declined, or the request timed out.
    ///   ``MSALError/serverDeclinedScopes``: use the result in `MSALInvalidResultKey`, or try again.
    ///   ``MSALError/internal`` with -42104: the code expired (`expired_token` under `MSALOAuthErrorKey`) or is no
    ///   longer known: request another; with another detail of an OAuth error: the tenant or the registration forbids
    ///   device codes, see the description; with -42008: the authority does not support them; with -42000, -42402,
    ///   -42600, and -42007: as for a sign-in in the browser. `NSURLErrorDomain`: try again when the network is
    ///   available.
    /// - SeeAlso: RFC 8628.
    open func acquireToken(with parameters: MSALDeviceCodeTokenParameters) async throws -> MSALResult {
        try await signInWithCode(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in with a code; see ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)``. Linux only.
    ///
    /// The block runs on the queue of the parameters, otherwise on the main queue if the program services it, otherwise
    /// directly in the task. If the parameters are invalid and have no queue, a call from the main thread runs it
    /// before it returns.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALDeviceCodeTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        signInWithCode(with: parameters, to: completionBlock)
    }

    // MARK: Accounts

    /// All accounts for which this client can get tokens, in no particular order.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be read.
    open func allAccounts() throws -> [MSALAccount] {
        try accounts(for: MSALAccountEnumerationParameters())
    }

    /// The matching accounts.
    ///
    /// - Throws: The same errors as ``allAccounts()``.
    open func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try correlated { () throws(AuthError) in try found(parameters) }
    }

    /// The account with this home account ID.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42106 if there is none, -42008 if the store cannot be read.
    open func account(forIdentifier identifier: String) throws -> MSALAccount {
        try correlated { () throws(AuthError) in
            try single(MSALAccountEnumerationParameters(identifier: identifier))
        }
    }

    /// The account with this user name, ignoring case.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42000 for a blank name, -42106 if there is none, -42008 if the
    ///   store cannot be read.
    open func account(forUsername username: String) throws -> MSALAccount {
        try correlated { () throws(AuthError) in try single(named: username) }
    }

    /// The matching accounts, including those of the identity broker of this machine.
    ///
    /// Accounts of the broker that this client signed out are omitted, unless the parameters include them. An account
    /// that came from the broker and that the device no longer has is removed.
    ///
    /// - Throws: The same errors as ``allAccounts()``; also ``MSALError/internal`` with -42700 if the broker does not
    ///   respond: try again or show ``allAccounts()``; with -42705, -42711, or -42007 if it fails, with the reason in
    ///   the description.
    open func accountsFromDevice(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] {
        try await deviceAccounts(for: parameters)
    }

    /// The matching accounts; see ``accountsFromDevice(for:)``.
    ///
    /// Without a queue, the block is called before this method returns, and the user is never prompted to unlock the
    /// keyring. If an identity broker has to be called, the block is called later, directly in the task.
    @preconcurrency
    open func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        deviceAccounts(for: parameters, to: completionBlock)
    }

    /// The account that is currently signed in, and the account of the last call if it was a different one.
    ///
    /// The account may be one of the identity broker of this machine: on a shared device, it is the user who signed in
    /// through any app. If another app signed that user out, there is no current account, and the former one is the
    /// previous account. Either may be `nil`. `parameters` do not affect the result.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42102 if several accounts are signed in: let the user choose
    ///   one of ``accountsFromDevice(for:)``; -42008 if the store cannot be read; the details of
    ///   ``accountsFromDevice(for:)`` if the broker fails.
    open func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) {
        try await currentAccounts()
    }

    /// The current and the previous account; see ``currentAccount(with:)``.
    ///
    /// The block is called like that of ``accountsFromDevice(for:completionBlock:)``.
    @preconcurrency
    open func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        currentAccounts(with: parameters, to: completionBlock)
    }

    /// Removes this client's tokens of an account. Other clients of the store keep theirs.
    ///
    /// No request is sent, and the identity broker of this machine keeps the account; see
    /// ``signout(with:signoutParameters:)-(MSALAccount,_)``. This client gets no token for it until the user signs in
    /// again. APIs accept an access token that the app already has until it expires.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be written: nothing
    ///   was removed, try again.
    open func remove(_ account: MSALAccount) throws {
        try removeTokens(of: account)
    }

    // MARK: Sign-out and the browser

    /// Removes the tokens of an account and, if the parameters request it, ends the browser's session.
    ///
    /// If the identity broker of this machine has the account, it removes the account for this client. On a shared
    /// device, that signs the user out of the device, for all its apps.
    ///
    /// The tokens are deleted even if the broker's or the browser's part fails. Closing the sign-out page counts as
    /// success. APIs accept an access token that the app already has until it expires.
    ///
    /// - Returns: `true`.
    /// - Throws: `NSError` with ``MSALError/internal``: -42000 for the browser without web view parameters; -42008 if
    ///   the store cannot be written: try again, or if the authority has no sign-out page; -42402 if another session is
    ///   in progress; on a shared device also -42700 and the other details of ``accountsFromDevice(for:)``: the user
    ///   may still be signed in to the device, try again. ``MSALError/userCanceled`` if the task was canceled.
    ///   `NSURLErrorDomain` if there was no response.
    open func signout(
        with account: MSALAccount,
        signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        try await signOut(account, with: signoutParameters)
    }

    /// Signs an account out; see ``signout(with:signoutParameters:)-(MSALAccount,_)``.
    ///
    /// The block runs on the queue of the parameters, otherwise on the main queue if the program services it, otherwise
    /// directly in the task. If the parameters are invalid and have no queue, a call from the main thread runs it
    /// before it returns.
    @preconcurrency
    open func signout(
        with account: MSALAccount,
        signoutParameters: MSALSignoutParameters,
        completionBlock signoutCompletionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        signOut(account, with: signoutParameters, to: signoutCompletionBlock)
    }

    /// Passes a redirect with which the desktop opened the app to the sign-in that waits for it.
    ///
    /// A desktop may start another process of the app for the redirect: called there, it passes the redirect to the
    /// waiting process of the same user, through a socket in `$XDG_RUNTIME_DIR/msal`. `sourceApplication` is not used
    /// on Linux.
    ///
    /// - Returns: Whether a sign-in waited for it, in this process or another; `false` means that the URL does not
    ///   belong to the library.
    @discardableResult
    open class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool {
        if RedirectInbox.shared.deliver(response) { return true }
        let relay = RedirectRelay(environment: ProcessInfo.processInfo.environment)
        return relay?.send(response) ?? false
    }

    /// Ends the browser session in progress; its request fails with ``MSALError/userCanceled``.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    open class func cancelCurrentWebAuthSession() -> Bool {
        CurrentSession.shared.cancel()
    }

    // MARK: The device

    /// The device as the identity broker of this machine describes it. Without a broker, it is in the default mode, and
    /// there is no error.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42714 if ``MSALGlobalConfig/brokerAvailability`` or
    ///   `bypassRedirectURIValidation` turns the broker off, or if the authority is not one of Microsoft Entra ID:
    ///   assume the default mode. -42700 if the broker does not respond: try again. -42705, -42711, or -42007 if it
    ///   fails, with the reason in the description.
    open func deviceInformation(with parameters: MSALParameters?) async throws -> MSALDeviceInformation {
        try await deviceInformation()
    }

    /// The device as the broker describes it; see ``deviceInformation(with:)``.
    ///
    /// Without a queue, the block is called before this method returns. If a broker has to be called, the block is
    /// called later, directly in the task.
    @preconcurrency
    open func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        deviceInformation(with: parameters, to: completionBlock)
    }

    /// The device's registration in a tenant, or with `nil` the first one. Empty without a broker, without a
    /// registration, and if the app does not allow a broker.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42700, -42705, -42711, or -42007 like
    ///   ``deviceInformation(with:)``.
    open func wpjMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try await deviceRegistration(in: tenantId)
    }

    /// The device's registration in a tenant; see ``wpjMetaDataDevice(with:forTenantId:)``.
    ///
    /// The block is called like that of ``getDeviceInformation(with:completionBlock:)``.
    @preconcurrency
    open func getWPJMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        deviceRegistration(in: tenantId, with: parameters, to: completionBlock)
    }

    /// A device token. No known identity broker issues one on Linux, and the library cannot register a device.
    ///
    /// - Throws: `NSError`: ``MSALError/internal`` with the detail -42000 for a blank tenant or resource: correct it.
    ///   Otherwise ``MSALError/workplaceJoinRequired``: continue without such a token.
    open func deviceToken(with parameters: MSALDeviceTokenParameters) async throws -> MSALDeviceTokenResult {
        throw deviceTokenError(parameters).nsError
    }

    /// A device token; see ``deviceToken(with:)``.
    ///
    /// Without a queue, the block is called before this method returns.
    @preconcurrency
    open func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = deviceTokenError(parameters)
        deliverImmediately(to: completionBlock, on: target(parameters.completionBlockQueue)) { throw error.nsError }
    }

    /// A token of a device in shared mode. No known identity broker issues one on Linux.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008, in any mode. Continue without such a
    ///   token.
    open func deviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw notShared.nsError
    }

    /// A token of a device in shared mode; see ``deviceTokenForSharedDevice(withResource:scopes:)``.
    ///
    /// Without a queue, the block is called before this method returns.
    @preconcurrency
    open func getDeviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = notShared
        deliverImmediately(to: completionBlock, on: target(nil)) { throw error.nsError }
    }

    /// The host of Microsoft Graph in the metadata of an authority; `nil` if there is none. Linux only.
    ///
    /// National clouds have their own Microsoft Graph. The metadata is fetched once per process.
    ///
    /// - Throws: `NSURLErrorDomain` if there was no response; ``MSALErrorDomain`` if the authority cannot be used.
    public func graphHost(of authority: MSALAuthority) async throws -> String? {
        let id = UUID.random()
        return try await correlated(id) { () async throws(AuthError) in
            let client = try client()
            let rules = client.configuration.authorityRules
            return try await client.authorities.resolve(rules.moved(authority.core), by: rules, correlationID: id)
                .configuration.graphHost
        }
    }
}
