// Licensed under the MIT License. See LICENSE.

/// The outcome of one broker call for a report: how the call ended, and the structure of the response. It contains no
/// value that is secret or that identifies a person (docs/reference/Broker.md#report).
package struct BrokerObservation: Sendable, Hashable {
    /// How the call ended.
    package enum Outcome: Sendable, Hashable {
        /// The broker sent a text.
        case response
        /// The bus returned an error. The broker chose its name, so it is untrusted text.
        case busError(name: String)
        /// There was no response. The text describes the reason.
        case nothing(String)
    }

    /// The called method.
    var method: String
    var outcome: Outcome
    /// The members of the response, one for each path.
    var members: [BrokerResponseShape.Member] = []
    /// How the library interprets a failure; `nil` for a success.
    var meaning: BrokerFailure.Kind?
    /// The time from the request to the response.
    var duration = Duration.zero
}

/// The values for the requests of a report.
package struct BrokerReportRequest: Sendable {
    var clientID: String
    /// `https://<host>/<tenant>`.
    var authority: URL
    var scopes: [String]
    var correlationID: UUID
}

extension IdentityBroker {
    /// Makes no calls by default. A broker that can report has its own implementation.
    package func observations(_ report: BrokerReportRequest) async -> [BrokerObservation] { [] }
}
