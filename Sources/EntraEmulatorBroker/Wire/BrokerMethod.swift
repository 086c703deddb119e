// Licensed under the MIT License. See LICENSE.

import DBus

/// The methods of the interface.
public enum BrokerMethod: String, Sendable, Hashable, CaseIterable {
    case getLinuxBrokerVersion
    case getAccounts
    case acquireTokenSilently
    case acquireTokenInteractively
    case acquirePrtSsoCookie
    case generateSignedHttpRequest
    case removeAccount
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
