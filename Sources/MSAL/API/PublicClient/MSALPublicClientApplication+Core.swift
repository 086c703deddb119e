// Licensed under the MIT License. See LICENSE.

package import Dispatch
import MSALCore
import Synchronization

extension MSALPublicClientApplication {
    /// Creates an application on the given machine.
    ///
    /// `session` is the process's browser session, except in tests. `service` is what is already known about the
    /// service. `registeredSchemes` are the URI schemes in the app's desktop entry; `nil` reads the entry. `mainQueue`
    /// is the process's, except in tests.
    ///
    /// - Throws: The errors of ``init(configuration:)``, except those of the store.
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

    /// The core of an application, created from a copy of the settings.
    ///
    /// - Throws: The errors of ``init(configuration:)``, except those of the store.
    static func tokenClient(
        _ configuration: MSALPublicClientApplicationConfig,
        platform: Platform,
        store: any TokenStore,
        session: CurrentSession,
        service: ServiceMemory,
        registeredSchemes: Set<String>? = nil
    ) throws -> TokenClient {
        let applicationID = RegisteredSchemes.applicationID(
            configured: configuration.applicationID,
            environment: platform.environment
        )
        let settings = try throwingNSError { () throws(AuthError) in
            let emulator = try EmulatorAddress(allowedIn: platform.environment)
            return try configuration.snapshot(
                applicationID: applicationID,
                registeredSchemes: registeredSchemes
                    ?? RegisteredSchemes.scan(applicationID: applicationID, environment: platform.environment),
                replacement: platform.redirectURI,
                emulator: emulator
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

    /// The core, with the current settings.
    ///
    /// - Throws: `.invalidParameter` for an application that was created without settings.
    package func client() throws(AuthError) -> TokenClient {
        guard let core else {
            throw AuthError(.invalidParameter, message: "Create the application with init(configuration:).")
        }
        return core.with(
            validatesAuthority: validatesAuthority.load(ordering: .relaxed),
            allowsBroker: MSALGlobalConfig.brokerAvailability == .auto
        )
    }

    /// The settings of MSAL 0.x and 1.x on the object itself.
    var earlierSettings: EarlierSettings {
        get { earlier.withLock { $0 } }
        set {
            earlier.withLock { earlier in
                earlier = newValue
                validatesAuthority.store(newValue.validatesAuthority, ordering: .relaxed)
            }
        }
    }

    /// The sign-in modes that ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` would try on this machine, with
    /// the reasons.
    ///
    /// Nothing is started, and no request is sent. Linux only.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the details of
    ///   ``acquireToken(with:)-(MSALInteractiveTokenParameters)`` for invalid parameters.
    public func signInPlan(for parameters: MSALInteractiveTokenParameters) async throws -> MSALSignInPlan {
        try await correlated { () async throws(AuthError) in
            MSALSignInPlan(try await client().interactive.modes(for: try parameters.snapshot()))
        }
    }
}
