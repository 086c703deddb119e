// Licensed under the MIT License. See LICENSE.

/// A call that the emulated broker received, without the secrets of request and response.
public struct BrokerCall: Sendable, Hashable, CustomStringConvertible {
    /// The response of the broker.
    public enum Outcome: Sendable, Hashable {
        /// The client received the requested response.
        case success
        /// The call failed with this status.
        case status(Int)
        /// An error on the bus with this name.
        case busError(String)
        /// The effect of a fault: no response, or an invalid one.
        case fault
    }

    /// The method.
    public let method: BrokerMethod
    /// The client ID of the request; `nil` if there is none.
    public let clientID: String?
    /// The second argument of the call.
    public let correlationID: String
    /// The home account ID of the request; `nil` if there is none.
    public let homeAccountID: String?
    /// Whether the client has an access token that the broker must not return again.
    public let renewsToken: Bool
    /// The response of the broker.
    public internal(set) var outcome: Outcome

    /// One line: method, client and outcome.
    public var description: String { "\(method.rawValue) \(clientID ?? "-") → \(outcome)" }
}
