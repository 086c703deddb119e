// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// An account as a broker describes it. Requests send the broker its own values back, unchanged.
package struct BrokerAccount: Sendable, Hashable {
    /// `<uid>.<utid>`, lower case.
    package var homeAccountID: String
    /// The user's id in the tenant `realm`; `nil` where the broker does not say it.
    package var localAccountID: String?
    /// The tenant of this description; `nil` where the broker does not know it.
    package var realm: String?
    /// The host of the cloud, under one of its names.
    package var environment: String
    /// The user principal name.
    package var username: String
    /// The name to show; `nil` where the broker has none.
    package var name: String?
    /// `client_info` as received; some brokers leave it out.
    package var clientInfo: String?
    /// The object as the broker sent it.
    var members: [String: JSONValue] = [:]
}

/// The facts that a broker reports about itself and this device.
package struct BrokerInformation: Sendable, Hashable {
    /// The version in the broker's words; `nil` where it gives none.
    var version: String?
    var dialect: BrokerDialect
    /// The facts about the device; `nil` where the broker reports none. No known broker reports any.
    package var device: BrokerDevice?

    package init(version: String?, dialect: BrokerDialect, device: BrokerDevice? = nil) {
        self.version = version
        self.dialect = dialect
        self.device = device
    }
}

/// The known families of brokers. They differ in the form of some responses. Every form is read from each of them.
package enum BrokerDialect: String, Sendable, Hashable, CaseIterable {
    /// Microsoft's broker up to 2.0.1.
    case early
    /// Microsoft's broker from 2.0.2 on.
    case current
    /// Himmelblau's broker.
    case himmelblau
    /// A version that nobody has written down yet.
    case unknown
}

/// The device as a broker describes it (docs/reference/Broker.md#device).
package struct BrokerDevice: Sendable, Hashable {
    /// Whether an administrator set the device up for several people.
    package var isShared = false
    /// Whether the device is registered in a tenant; `nil` where the broker does not say.
    package var isRegistered: Bool?
    package var deviceID: String?
    package var tenantID: String?
    /// The way of signing in that the administrator prefers, such as `qrpin`.
    package var preferredAuthMethod: String?
    package var certificateThumbprint: String?

    package init() {}
}

package struct BrokerAccountsRequest: Sendable, Hashable {
    package var clientID: String
    var correlationID: UUID
}

/// A request for a token.
package struct BrokerTokenRequest: Sendable {
    package var clientID: String
    /// `https://<host>/<tenant>`.
    var authority: URL
    /// The scopes without those of OpenID Connect, which the broker adds.
    package var scopes: [String]
    /// The account of the token; `nil` lets the broker choose, or let the user choose.
    package var account: BrokerAccount?
    package var loginHint: String?
    /// The claims wanted and the capabilities of the client, merged (OpenID Connect Core §5.5); `nil` for none.
    package var claims: JSONValue?
    package var prompt: BrokerPrompt?
    /// The window that asks, `x11:…` or `wayland:…`; `nil` where none is named.
    var parentWindow: String?
    /// An access token that must not come again.
    package var accessTokenToRenew: Secret?
    var extraQueryParameters: [String: String] = [:]
    /// The request that the token shall be good for; `nil` asks for a bearer token.
    package var proof: SignedHTTPRequest?
    var correlationID: UUID
}

/// The question that the broker asks the user. The raw values are those of OpenID Connect. The broker lets the user choose
/// an account where the request names none.
package enum BrokerPrompt: String, Sendable, Hashable {
    case login
    case consent
}

/// A token that a broker gave.
package struct BrokerToken: Sendable {
    /// An access token, or a signed request around one.
    package var accessToken: Secret
    /// Whether the token is bound to a key.
    package var isBound = false
    package var idToken: Secret?
    /// `client_info` as received; `nil` where there is none.
    package var clientInfo: String?
    /// The account of the response; `nil` where the broker leaves it out: then the token belongs to the requested
    /// account.
    package var account: BrokerAccount?
    package var expiresOn: Date
    package var scopes: [String]
}

package struct BrokerCookieRequest: Sendable {
    package var clientID: String
    var authority: URL
    /// The page that will be opened. A nonce of the service in its query makes the cookie good for one use.
    var url: URL
    package var account: BrokerAccount?
    var correlationID: UUID
}

/// A cookie that signs a browser in. It is sent as a header of its name as well.
package struct BrokerCookie: Sendable, Hashable {
    package var name: String
    var content: Secret

    package init(name: String, content: Secret) {
        self.name = name
        self.content = content
    }
}
