// Licensed under the MIT License. See LICENSE.

/// The methods of the broker. The raw values are their names on the bus (docs/reference/Broker.md#methods).
enum IdentityBrokerMethod: String, Sendable, CaseIterable {
    case version = "getLinuxBrokerVersion"
    case accounts = "getAccounts"
    case tokenSilently = "acquireTokenSilently"
    case tokenInteractively = "acquireTokenInteractively"
    case cookie = "acquirePrtSsoCookie"
    case signedRequest = "generateSignedHttpRequest"
    case removal = "removeAccount"
    case cancellation = "cancelInteractiveFlow"

    /// Whether the call may be repeated if it is unknown whether the broker received it. A second interactive call
    /// could open a second window.
    var isRepeatable: Bool { self != .tokenInteractively && self != .cancellation }

    /// Whether the broker can respond without user interaction.
    var needsNoUser: Bool { self != .tokenInteractively && self != .cancellation }

    /// Whether the response has an envelope.
    var hasTokenResponse: Bool { self == .tokenSilently || self == .tokenInteractively }
}
