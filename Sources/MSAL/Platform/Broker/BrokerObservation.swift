// Licensed under the MIT License. See LICENSE.

/// The outcome of one call of a broker as a report shows it: how the call ended, and the form of the response. No value
/// of the response that is secret, or that names somebody, is in it (docs/reference/Broker.md#report).
package struct BrokerObservation: Sendable, Hashable {
    /// How the call ended.
    package enum Outcome: Sendable, Hashable {
        /// The broker sent a text.
        case response
        /// The bus sent an error. The broker chose its name, so it is a foreign text.
        case busError(name: String)
        /// Nothing came. The text has the reason in words.
        case nothing(String)
    }

    /// The method that was called.
    var method: String
    var outcome: Outcome
    /// The members of the response, one for each place.
    var members: [BrokerShape.Member] = []
    /// The failure that the library takes the outcome for; `nil` where it takes it for a success.
    var meaning: BrokerFailure.Kind?
    /// The time from the request to the response.
    var duration = Duration.zero
}

/// The values in the requests of a report.
package struct BrokerReportRequest: Sendable {
    var clientID: String
    /// `https://<host>/<tenant>`.
    var authority: URL
    var scopes: [String]
    var correlationID: UUID
}

extension IdentityBroker {
    /// Asks nothing. A broker that has something to report has a method of its own.
    package func observations(_ report: BrokerReportRequest) async -> [BrokerObservation] { [] }
}
