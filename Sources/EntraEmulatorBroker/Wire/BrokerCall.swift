// Licensed under the MIT License. See LICENSE.

/// A call that the double received, without the secrets of request and response.
public struct BrokerCall: Sendable, Hashable, CustomStringConvertible {
    /// The response of the double.
    public enum Outcome: Sendable, Hashable {
        /// The response is the one that the client asked for.
        case success
        /// The call failed with this status.
        case status(Int)
        /// An error of the bus with this name.
        case busError(String)
        /// The effect of a fault: no response, or one that makes no sense.
        case fault
    }

    /// The method.
    public let method: BrokerMethod
    /// The client id that the request names; `nil` where it names none.
    public let clientID: String?
    /// The second argument of the call.
    public let correlationID: String
    /// The home account id that the request names; `nil` where it names none.
    public let homeAccountID: String?
    /// Whether the client has an access token that the broker must not give again.
    public let renewsToken: Bool
    /// The response of the double.
    public internal(set) var outcome: Outcome

    /// One line: method, client and outcome.
    public var description: String { "\(method.rawValue) \(clientID ?? "-") → \(outcome)" }
}
