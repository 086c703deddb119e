// Licensed under the MIT License. See LICENSE.

import DBus

/// The methods of the broker's interface on the bus, named as in Microsoft's libraries.
public enum BrokerMethod: String, Sendable, Hashable, CaseIterable {
    /// Returns the version of the broker and, in some dialects, how the device was set up.
    case getLinuxBrokerVersion
    /// Lists the accounts that a client may see.
    case getAccounts
    /// Returns a token without user interaction, or an error if interaction is required.
    case acquireTokenSilently
    /// Returns a token, and opens the broker's window if user interaction is required.
    case acquireTokenInteractively
    /// Returns the cookie with which the sign-in page signs a browser in.
    case acquirePrtSsoCookie
    /// Signs a request with the key that a proof-of-possession token is bound to.
    case generateSignedHttpRequest
    /// Removes an account for a client.
    case removeAccount
    /// Closes the window of a sign-in in progress.
    case cancelInteractiveFlow
}

/// The names on the bus.
enum BrokerAddress {
    static let name = "com.microsoft.identity.broker1"
    static let path = "/com/microsoft/identity/broker1"
    static let interface = "com.microsoft.identity.Broker1"

    /// The interface: each method accepts the protocol version, the correlation ID, and the request, and returns the
    /// response.
    static let methods = BrokerMethod.allCases.map {
        BusObject.Method($0.rawValue, input: [.string, .string, .string], output: [.string])
    }
}

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
