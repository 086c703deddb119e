// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// How the identity broker of this machine responds, for a report to the maintainers of this library. Linux only.
///
/// Contains the names of members, the types and lengths of values, and the broker's status codes, but no tokens,
/// cookies, names of people, or IDs. `msal doctor --broker` prints it.
public struct MSALBrokerReport: Sendable {
    /// A broker call, with its outcome.
    public struct Call: Sendable {
        /// The method.
        public let method: String
        /// `response`, the name of the bus error, or the reason why there was no response: untrusted text.
        public let outcome: String
        /// The failure that the library derives from it; `nil` for a success.
        public let meaning: String?
        /// The duration of the call.
        public let duration: Duration
        /// The paths in the response and the type of value at each, sorted by name: untrusted text.
        public let members: [(path: String, form: String)]
    }

    /// The methods that the report calls. They change nothing and open no window.
    public static let methods = [
        "getLinuxBrokerVersion", "getAccounts", "acquireTokenSilently", "acquirePrtSsoCookie",
        "generateSignedHttpRequest",
    ]

    /// The calls in order; empty if there is no broker.
    public let calls: [Call]

    /// Queries the broker.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client ID and authority are sent. If the client ID is
    ///     empty, only the version is queried.
    ///   - scopes: The scopes of the token to request.
    ///   - environment: The source of the session bus address; by default, that of the process.
    public init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async {
        let platform = SystemMachine.platform(caFile: configuration.caFile, environment)
        await self.init(configuration, scopes: scopes, broker: platform.broker)
    }

    /// Queries the given broker.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        broker: any IdentityBroker
    ) async {
        let observations = await broker.ignoringHangs.observations(
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
