// Licensed under the MIT License. See LICENSE.

/// The redirect URI of every request that goes through a broker (docs/reference/Broker.md#redirect-uri).
package enum BrokerRedirect {
    /// The redirect URI for brokers. It must be registered for the app, under "Mobile and desktop applications".
    static let uri = "https://login.microsoftonline.com/common/oauth2/nativeclient"
}
