// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// How the identity broker of this machine responds, for a report to the makers of this library. Linux only.
///
/// It has the names of members, the kinds and the lengths of values, and the broker's numbers. It has no token, no cookie,
/// no name of a person and no id. `msal doctor --broker` prints it.
public struct MSALBrokerReport: Sendable {
    /// A call of the broker, with its outcome.
    public struct Call: Sendable {
        /// The method.
        public let method: String
        /// `response`, or the name of the bus error, or the reason why nothing came: a foreign text.
        public let outcome: String
        /// The failure that the library takes this for; `nil` for a success.
        public let meaning: String?
        /// The time until then.
        public let duration: Duration
        /// The places of the response and the kind of value at each, in the order of the names: foreign texts.
        public let members: [(path: String, form: String)]
    }

    /// The methods that the report calls. They change nothing, and open no window.
    public static let methods = [
        "getLinuxBrokerVersion", "getAccounts", "acquireTokenSilently", "acquirePrtSsoCookie",
        "generateSignedHttpRequest",
    ]

    /// The calls in their order; none if there is no broker.
    public let calls: [Call]

    /// Asks the broker.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client id and authority are sent. With an empty client id
    ///     the broker is asked for its version alone.
    ///   - scopes: The scopes of the token that is asked for.
    ///   - environment: Where the address of the session bus is read; the process's own unless given.
    public init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async {
        let platform = SystemMachine.platform(caFile: configuration.caFile, environment)
        await self.init(configuration, scopes: scopes, broker: platform.broker)
    }

    /// Asks a broker of the caller's choice.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        broker: any IdentityBroker
    ) async {
        let observations = await broker.insistent.observations(
            BrokerReportRequest(
                clientID: configuration.clientId,
                authority: configuration.authority.core.url,
                scopes: scopes,
                correlationID: .random()
            )
        )
        calls = observations.map(Call.init)
    }
}

extension MSALBrokerReport.Call {
    fileprivate init(_ observation: BrokerObservation) {
        method = observation.method
        outcome =
            switch observation.outcome {
            case .response: "response"
            case .busError(let name): name
            case .nothing(let reason): reason
            }
        meaning = observation.meaning.map { "\($0)" }
        duration = observation.duration
        members = observation.members.map { ($0.path, $0.form) }
    }
}
