// Licensed under the MIT License. See LICENSE.

import MSALBase

/// What the identity broker of this machine reports about itself. Linux only.
///
/// No sign-in takes place, no window opens, and nothing is stored. `msal doctor` shows these findings.
public struct MSALBrokerCheckup: Sendable {
    /// Whether there is a broker.
    public enum Presence: Sendable, Hashable {
        /// A broker can be reached.
        case present
        /// There is no broker. The reason is a text without a period.
        case absent(reason: String)
    }

    /// A family of brokers whose responses have the same format. More may be added.
    public struct Dialect: RawRepresentable, Sendable, Hashable {
        /// The name of the family.
        public let rawValue: String

        /// A family by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Microsoft's broker up to 2.0.1.
        public static let early = Dialect(rawValue: IdentityBrokerDialect.early.rawValue)
        /// Microsoft's broker from 2.0.2 on.
        public static let current = Dialect(rawValue: IdentityBrokerDialect.current.rawValue)
        /// Himmelblau's broker.
        public static let himmelblau = Dialect(rawValue: IdentityBrokerDialect.himmelblau.rawValue)
        /// A version that this library does not know. It is used nevertheless.
        public static let unknown = Dialect(rawValue: IdentityBrokerDialect.unknown.rawValue)
    }

    /// Whether there is a broker.
    public let presence: Presence

    /// The version as the broker states it, which is untrusted text; `nil` if there is none.
    public private(set) var version: String?

    /// The family of the broker; `nil` if unknown.
    public private(set) var dialect: Dialect?

    /// How the device is shared; `nil` if the broker does not report it. The library assumes the default mode then.
    public private(set) var deviceMode: MSALDeviceMode?

    /// Whether the device is registered in a tenant; `nil` if the broker does not report it.
    public private(set) var isDeviceRegistered: Bool?

    /// The number of accounts that the broker shows to this client, in each cloud; `nil` if unknown.
    public private(set) var accountCounts: [String: Int]?

    /// The user names of these accounts, if requested: untrusted text. Otherwise empty.
    public private(set) var usernames: [String] = []

    /// The error of the first call that failed, as a sign-in would receive it; otherwise `nil`.
    public private(set) var failure: NSError?

    /// Queries the broker.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client ID is sent. If it is empty, the accounts are not
    ///     queried.
    ///   - includesUsernames: Whether to fill ``usernames``.
    ///   - environment: The source of the session bus address; by default, that of the process.
    public init(
        _ configuration: MSALPublicClientApplicationConfig,
        includesUsernames: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async {
        let platform = SystemMachine.platform(caFile: configuration.caFile, environment)
        await self.init(configuration, includesUsernames: includesUsernames, broker: platform.broker)
    }

    /// Queries the given broker.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        includesUsernames: Bool = false,
        broker: any IdentityBroker
    ) async {
        let broker = broker.ignoringHangs
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
                BrokerAccountsRequest(clientID: configuration.clientId, correlationID: correlationID)
            )
            accountCounts = Dictionary(accounts.map { ($0.environment, 1) }, uniquingKeysWith: +)
            if includesUsernames { usernames = accounts.map(\.username) }
        } catch {
            failure = AuthError(error).correlated(correlationID).nsError
        }
    }
}
