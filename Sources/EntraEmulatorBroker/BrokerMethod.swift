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
