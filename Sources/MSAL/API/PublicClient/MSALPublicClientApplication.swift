// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase
import Synchronization

/// Signs users in and gets tokens for one app registration: the entry to the library.
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
/// Every call has an asynchronous form, which is the natural one, and one with a completion block. All errors are
/// `NSError`: in ``MSALErrorDomain``, or in `NSURLErrorDomain` if no response came. An object may be used from any
/// thread, and several may exist.
///
/// An app's tests may override the calls in a subclass. Neither form of a call goes through the other: override the form
/// that the app calls.
open class MSALPublicClientApplication: NSObject, ClosedMirror, @unchecked Sendable {
    // Open because apps' tests stub the library in this way on Apple systems, where every class can be inherited from.
    // `Sendable` is unchecked because of this mutable object of the app's. It is only handed back and never read here.
    // Everything that calls use is a constant of a Sendable type.
    /// The configuration that the application was made with. The application works with a copy: changes have no effect.
    public let configuration: MSALPublicClientApplicationConfig

    final let externalAccounts: ExternalAccounts
    final let mainQueue: MainQueue
    /// `nil` in an application made without settings.
    final let core: TokenClient?
    // `memory` and `telemetry` are parts of `core`. They are also here, because all threads that get tokens from memory
    // would otherwise count references to `core`.
    final let memory: ClientMemory?
    final let telemetry: ServerTelemetry?
    final let earlier = Mutex(EarlierSettings())
    /// The value that `earlier` has, too. A call that memory serves reads it here, without a lock.
    final let validatesAuthority = Atomic(true)

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
        configuration = config
        externalAccounts = ExternalAccounts(config.cacheConfig.externalAccountProviders)
    }

    /// An application around a core that ``tokenClient(_:platform:store:session:service:registeredSchemes:)`` made.
    init(configuration: MSALPublicClientApplicationConfig, tokens: TokenClient, mainQueue: DispatchQueue = .main) {
        (core, memory, telemetry) = (tokens, tokens.memory, tokens.telemetry)
        self.mainQueue = MainQueue(mainQueue, time: tokens.platform.time)
        self.configuration = configuration
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
    }

    /// An application without settings, whose calls all fail with the detail -42000. Use ``init(configuration:)``.
    public override init() {
        (core, memory, telemetry) = (nil, nil, nil)
        mainQueue = MainQueue(time: SystemTime())
        configuration = MSALPublicClientApplicationConfig(clientId: "")
        externalAccounts = ExternalAccounts([])
    }

    /// An application with the default redirect URI and authority.
    ///
    /// - Throws: As ``init(configuration:)``.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }

    /// The version of this library.
    open class var sdkVersion: String? { LibraryVersion.text }

    /// Whether an identity broker is on this machine, whatever the settings say. No broker is started.
    ///
    /// The session bus is asked; if the bus does not respond within a quarter of a second, the result is `false` for
    /// now.
    open var isCompatibleAADBrokerAvailable: Bool {
        core?.platform.broker.availabilityAtOnce().isPresent ?? false
    }

    // The calls are here, and what they do is in extensions: Swift lets a subclass override only what the class itself
    // declares.

    // MARK: Tokens

    /// Signs the user in through the identity broker of this machine or through the browser, and gets a token.
    ///
    /// A broker is asked first, if there is one and ``MSALGlobalConfig/brokerAvailability`` allows it: where the device is
    /// signed in, no page is shown. Otherwise the library opens the address in the user's browser. The response comes to a
    /// port of this machine or through the app's own scheme. Where no browser can be started, the user may open the address
    /// elsewhere, if the app sets ``MSALWebviewParameters/onPaste`` or
    /// ``MSALInteractiveTokenParameters/onDeviceCode``; see ``signInPlan(for:)``. Cancelling the task ends the wait; so does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token; it is stored, with what renews it. `isPersisted` is `false` where the store did not take
    ///   it. A token of the broker stays in memory, and the store gets the account.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: do nothing. ``MSALError/serverDeclinedScopes``: use the result
    ///   in `MSALInvalidResultKey`, or ask again. ``MSALError/internal`` with -42402: another sign-in of this process
    ///   is open; with -42000 or -42010: correct the parameters or the authority; with -42011: free the port of the
    ///   redirect; with -42008: no way to sign in works on this machine, and the description says why; with -42501 or
    ///   -42600: the response failed a check and nothing is stored, start again; with -42007: try again later. From the
    ///   broker: -42101 if another account signed in than the one asked for; -42700, -42705 or -42711 if it does not
    ///   respond, makes no sense or fails, name other ``MSALInteractiveTokenParameters/ways`` then; -42714 if it is the only
    ///   way and cannot do this; ``MSALError/workplaceJoinRequired`` if the device has to be registered.
    ///   `NSURLErrorDomain`: try again when the network is back.
    /// - SeeAlso: RFC 6749 §4.1, RFC 7636, RFC 8252.
    open func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult {
        try await acquireInteractively(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in through the browser and gets a token; see
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, a call from the main thread runs it before it returns.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireInteractively(with: parameters, to: completionBlock)
    }

    /// Gets a token without the user: from the store, for the account's refresh token, or from the identity broker of this
    /// machine.
    ///
    /// - Returns: A token with more life left than the configuration's `tokenExpirationBuffer`; while the service is
    ///   down possibly an older one.
    /// - Throws: `NSError`. ``MSALError/interactionRequired``: call
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)``.
    ///   ``MSALError/serverDeclinedScopes``, ``MSALError/workplaceJoinRequired``, `NSURLErrorDomain` and the details of
    ///   ``MSALError/internal`` as there;
    ///   also -42008 if the token store cannot be used, whose description says what to do, and -42102 if several
    ///   accounts have the user name of an account without identifier.
    /// - SeeAlso: RFC 6749 §6.
    open func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        let id = parameters.correlationId ?? .random()
        let (result, remembered) = resultFromMemory(parameters.identity(id), correlationID: id)
        if let result { return result }
        let request = Result { () throws(AuthError) in try parameters.snapshot(id) }
        return try await acquireSilently(request, remembered: remembered)
    }

    /// Gets a token without the user; see ``acquireTokenSilent(with:)``.
    ///
    /// The block runs on the queue of the parameters, else straight from the task, on any thread. Where the parameters
    /// are at fault and name no queue, it is called before this method returns.
    @preconcurrency
    open func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        acquireSilently(with: parameters, to: completionBlock)
    }

    /// Signs the user in with a code that is typed in a browser elsewhere, and gets a token. Linux only.
    ///
    /// This is for machines without a browser. Many tenants block it: prefer
    /// ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` with ``MSALWebviewParameters/onPaste``. The service is asked
    /// at the pace that it wants, until the user has signed in or the code expires. Cancelling the task ends the wait; so
    /// does `cancelCurrentWebAuthSession()`.
    ///
    /// - Returns: The token; it is stored, with what renews it. `isPersisted` is `false` where the store did not take
    ///   it.
    /// - Throws: `NSError`. ``MSALError/userCanceled``: the user declined, or the request's own time is over.
    ///   ``MSALError/serverDeclinedScopes``: use the result in `MSALInvalidResultKey`, or ask again.
    ///   ``MSALError/internal`` with -42104: the code expired, `expired_token` under `MSALOAuthErrorKey`, or it is not
    ///   known any more: ask for another; with another detail of an OAuth error: the tenant or the registration forbids
    ///   device codes, see the description; with -42008: the authority offers none; with -42000, -42402, -42600 and
    ///   -42007: as in a browser's sign-in. `NSURLErrorDomain`: try again when the network is back.
    /// - SeeAlso: RFC 8628.
    open func acquireToken(with parameters: MSALDeviceCodeTokenParameters) async throws -> MSALResult {
        try await signInWithCode(Result { () throws(AuthError) in try parameters.snapshot() })
    }

    /// Signs the user in with a code; see ``acquireToken(with:)-(MSALDeviceCodeTokenParameters)``. Linux only.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, a call from the main thread runs it before it returns.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALDeviceCodeTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        signInWithCode(with: parameters, to: completionBlock)
    }

    // MARK: Accounts

    /// All accounts that this client can get tokens for, in no particular order; empty if there are none.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be read.
    open func allAccounts() throws -> [MSALAccount] {
        try accounts(for: MSALAccountEnumerationParameters())
    }

    /// The accounts that match.
    ///
    /// - Throws: As ``allAccounts()``.
    open func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try correlated { () throws(AuthError) in try found(parameters) }
    }

    /// The account with this home account id.
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

    /// The accounts that match, with those of the identity broker of this machine.
    ///
    /// Accounts of the broker that this client signed out are left out, unless the parameters want them too. An account that
    /// came from the broker and that the device has no more is forgotten.
    ///
    /// - Throws: As ``allAccounts()``; also ``MSALError/internal`` with -42700 if the broker does not respond, then try
    ///   again or show ``allAccounts()``; with -42705, -42711 or -42007 if it fails, whose description says why.
    open func accountsFromDevice(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] {
        try await deviceAccounts(for: parameters)
    }

    /// The accounts that match; see ``accountsFromDevice(for:)``.
    ///
    /// Without a queue the block is called before this method returns, and the user is never asked to unlock the keyring. If
    /// there is an identity broker to be asked, the block is called later, straight from the task.
    @preconcurrency
    open func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        deviceAccounts(for: parameters, to: completionBlock)
    }

    /// The account that is signed in now, and the account of the last call, if it was another one.
    ///
    /// The account may be one of the identity broker of this machine: on a shared device it is the user whom some app signed
    /// in. If another app signed that user out, there is no current account, and the former one is the previous. Either may
    /// be `nil`. Nothing in `parameters` changes the result.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42102 if several accounts are signed in, then let the user
    ///   choose one of ``accountsFromDevice(for:)``; -42008 if the store cannot be read; with the details of
    ///   ``accountsFromDevice(for:)`` if the broker fails.
    open func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) {
        try await currentAccounts()
    }

    /// The current and the previous account; see ``currentAccount(with:)``.
    ///
    /// The block is called as that of ``accountsFromDevice(for:completionBlock:)``.
    @preconcurrency
    open func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        currentAccounts(with: parameters, to: completionBlock)
    }

    /// Removes this client's tokens of an account. Other clients of the store keep theirs; `nil` does nothing.
    ///
    /// Nothing is sent, and the identity broker of this machine keeps the account; see
    /// ``signout(with:signoutParameters:)``. This client gets no token for it until the user signs in again. APIs accept an
    /// access token that the app has already until it expires.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be written: nothing
    ///   was removed, try again.
    open func remove(_ account: MSALAccount?) throws {
        try removeTokens(of: account)
    }

    // MARK: Sign-out and the browser

    /// Removes the tokens of an account and, if the parameters ask for it, ends the browser's session.
    ///
    /// If the identity broker of this machine has the account, it forgets it for this client. On a shared device that signs
    /// the user out of the device, for all its apps.
    ///
    /// Tokens are gone even if the broker's or the browser's part fails. A sign-out page that is closed counts as success.
    /// APIs accept an access token that the app has already until it expires.
    ///
    /// - Returns: `true`.
    /// - Throws: `NSError` with ``MSALError/internal``: -42000 without an account, or for the browser without web view
    ///   parameters; -42008 if the store cannot be written, then try again, or if the authority has no sign-out page;
    ///   -42402 if another session is open; on a shared device also -42700 and the other details of
    ///   ``accountsFromDevice(for:)``: the user may be signed in to the device still, try again.
    ///   ``MSALError/userCanceled`` if the task was cancelled. `NSURLErrorDomain` if no response came.
    open func signout(
        with account: MSALAccount?,
        signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        try await signOut(account, with: signoutParameters)
    }

    /// Signs an account out; see ``signout(with:signoutParameters:)``.
    ///
    /// The block runs on the queue of the parameters, else on the main queue if that is served, else straight from the
    /// task. Where the parameters are at fault and name no queue, a call from the main thread runs it before it returns.
    @preconcurrency
    open func signout(
        with account: MSALAccount?,
        signoutParameters: MSALSignoutParameters,
        completionBlock signoutCompletionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        signOut(account, with: signoutParameters, to: signoutCompletionBlock)
    }

    /// Gives a redirect that the desktop opened the app with to the sign-in that waits for it.
    ///
    /// A desktop may start another process of the app for the redirect: called there, it hands the redirect to the
    /// waiting process of the same user, through a socket in `$XDG_RUNTIME_DIR/msal`. `sourceApplication` is not used
    /// on Linux.
    ///
    /// - Returns: Whether a sign-in waited for it, here or in another process; `false` means that the URL is not the
    ///   library's.
    @discardableResult
    open class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool {
        if RedirectInbox.shared.deliver(response) { return true }
        let relay = RedirectRelay(environment: ProcessInfo.processInfo.environment)
        return relay?.send(response) ?? false
    }

    /// Ends the open session of this process; its request fails with ``MSALError/userCanceled``.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    open class func cancelCurrentWebAuthSession() -> Bool {
        CurrentSession.shared.cancel()
    }

    // MARK: The device

    /// The device as the identity broker of this machine knows it. Without a broker it is in the default mode, and there is
    /// no error.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42714 if ``MSALGlobalConfig/brokerAvailability`` or
    ///   `bypassRedirectURIValidation` turns the broker off, or if the authority is not one of Microsoft Entra ID: treat the
    ///   device as one in the default mode. -42700 if the broker does not respond: try again. -42705, -42711 or -42007 if it
    ///   fails; the description says why.
    open func deviceInformation(with parameters: MSALParameters?) async throws -> MSALDeviceInformation {
        try await deviceInformation()
    }

    /// The device as the broker knows it; see ``deviceInformation(with:)``.
    ///
    /// Without a queue the block is called before this method returns. If there is a broker to be asked, it is called later,
    /// straight from the task.
    @preconcurrency
    open func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        deviceInformation(with: parameters, to: completionBlock)
    }

    /// The device's registration in a tenant, `nil` for the first one. Empty without a broker, without a registration, and
    /// where the app allows no broker.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: -42700, -42705, -42711 or -42007 as ``deviceInformation(with:)``.
    open func wpjMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try await deviceRegistration(in: tenantId)
    }

    /// The device's registration in a tenant; see ``wpjMetaDataDevice(with:forTenantId:)``.
    ///
    /// The block is called as that of ``getDeviceInformation(with:completionBlock:)``.
    @preconcurrency
    open func getWPJMetaDataDevice(
        with parameters: MSALParameters?,
        forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        deviceRegistration(in: tenantId, with: parameters, to: completionBlock)
    }

    /// A token of the device itself. No known identity broker gives one on Linux, and the library cannot register a device.
    ///
    /// - Throws: `NSError`: ``MSALError/internal`` with the detail -42000 for a blank tenant or resource: correct it.
    ///   Otherwise ``MSALError/workplaceJoinRequired``: go on without such a token.
    open func deviceToken(with parameters: MSALDeviceTokenParameters) async throws -> MSALDeviceTokenResult {
        throw deviceTokenError(parameters).nsError
    }

    /// A token of the device itself; see ``deviceToken(with:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    open func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = deviceTokenError(parameters)
        deliverAtOnce(to: completionBlock, on: target(parameters.completionBlockQueue)) { throw error.nsError }
    }

    /// A token of a device in shared mode. No known identity broker gives one on Linux.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008, in any mode. Go on without such a token.
    open func deviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw notShared.nsError
    }

    /// A token of a device in shared mode; see ``deviceTokenForSharedDevice(withResource:scopes:)``.
    ///
    /// Without a queue the block is called before this method returns.
    @preconcurrency
    open func getDeviceTokenForSharedDevice(
        withResource resource: String,
        scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let error = notShared
        deliverAtOnce(to: completionBlock, on: target(nil)) { throw error.nsError }
    }
}
