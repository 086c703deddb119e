// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The facts that the identity broker of this machine reports about itself. Linux only.
///
/// Nobody signs in, no window opens, and nothing is stored. `msal doctor` shows these findings.
public struct MSALBrokerCheckup: Sendable {
    /// Whether there is a broker.
    public enum Presence: Sendable, Hashable {
        /// A broker can be reached.
        case present
        /// There is no broker. The reason is in words, without a full stop.
        case absent(reason: String)
    }

    /// A family of brokers, whose responses have one form. More may be added.
    public struct Dialect: RawRepresentable, Sendable, Hashable {
        /// The name of the family.
        public let rawValue: String

        /// A family by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Microsoft's up to 2.0.1.
        public static let early = Dialect(rawValue: BrokerDialect.early.rawValue)
        /// Microsoft's from 2.0.2 on.
        public static let current = Dialect(rawValue: BrokerDialect.current.rawValue)
        /// Himmelblau's.
        public static let himmelblau = Dialect(rawValue: BrokerDialect.himmelblau.rawValue)
        /// A version that this library does not know. It is used all the same.
        public static let unknown = Dialect(rawValue: BrokerDialect.unknown.rawValue)
    }

    /// Whether there is a broker.
    public let presence: Presence

    /// The version in the broker's own words, which are a foreign text; `nil` where it gives none.
    public private(set) var version: String?

    /// The family that the broker belongs to; `nil` where nothing was learned.
    public private(set) var dialect: Dialect?

    /// How the device is shared; `nil` where the broker does not say. The library then takes the default mode.
    public private(set) var deviceMode: MSALDeviceMode?

    /// Whether the device is registered in a tenant; `nil` where the broker does not say.
    public private(set) var isDeviceRegistered: Bool?

    /// How many accounts the broker shows to this client, in each cloud; `nil` where nothing was learned.
    public private(set) var accountCounts: [String: Int]?

    /// The user names of these accounts, where the caller asked for them: foreign texts. Otherwise empty.
    public private(set) var usernames: [String] = []

    /// The error of the first call that failed, as a sign-in would have it; `nil` if none did.
    public private(set) var failure: NSError?

    /// Asks the broker.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client id is sent. With an empty one the broker is not asked
    ///     for accounts.
    ///   - includesUsernames: Whether ``usernames`` is filled.
    ///   - environment: Where the address of the session bus is read; the process's own unless given.
    public init(
        _ configuration: MSALPublicClientApplicationConfig,
        includesUsernames: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async {
        let platform = SystemMachine.platform(caFile: configuration.caFile, environment)
        await self.init(configuration, includesUsernames: includesUsernames, broker: platform.broker)
    }

    /// Asks a broker of the caller's choice.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        includesUsernames: Bool = false,
        broker: any IdentityBroker
    ) async {
        let broker = broker.insistent
        if case .absent(let reason) = await broker.availability() {
            presence = .absent(reason: reason)
            return
        }
        presence = .present
        let correlationID = UUID.random()
        do throws(BrokerFailure) {
            let information = try await broker.information(correlationID: correlationID)
            version = information.version
            dialect = Dialect(rawValue: information.dialect.rawValue)
            deviceMode = information.device.map { $0.isShared ? .shared : .default }
            isDeviceRegistered = information.device?.isRegistered
            guard !configuration.clientId.isEmpty else { return }
            let accounts = try await broker.accounts(
                BrokerAccountsRequest(
                    clientID: configuration.clientId,
                    correlationID: correlationID
                )
            )
            accountCounts = Dictionary(accounts.map { ($0.environment, 1) }, uniquingKeysWith: +)
            if includesUsernames { usernames = accounts.map(\.username) }
        } catch {
            failure = AuthError(error).correlated(correlationID).nsError
        }
    }
}
