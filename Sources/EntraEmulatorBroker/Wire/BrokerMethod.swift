// Licensed under the MIT License. See LICENSE.

import DBus

/// The methods of the broker's interface on the bus, by the names that Microsoft's libraries call.
public enum BrokerMethod: String, Sendable, Hashable, CaseIterable {
    /// Says which version the broker has, and in some dialects how the device was set up.
    case getLinuxBrokerVersion
    /// Lists the accounts that a client may see.
    case getAccounts
    /// Gives a token without the user, or says that the user is needed.
    case acquireTokenSilently
    /// Gives a token, and opens the broker's window where the user is needed.
    case acquireTokenInteractively
    /// Gives the cookie with which a browser is signed in at the sign-in page.
    case acquirePrtSsoCookie
    /// Signs a request with the key that a proof-of-possession token is bound to.
    case generateSignedHttpRequest
    /// Forgets an account for a client.
    case removeAccount
    /// Closes the window of a sign-in that is under way.
    case cancelInteractiveFlow
}

/// The names on the bus.
enum BrokerAddress {
    static let name = "com.microsoft.identity.broker1"
    static let path = "/com/microsoft/identity/broker1"
    static let interface = "com.microsoft.identity.Broker1"

    /// The interface: each method takes the protocol version, the correlation id and the request, and gives the response.
    static let methods = BrokerMethod.allCases.map {
        BusObject.Method($0.rawValue, input: [.string, .string, .string], output: [.string])
    }
}
