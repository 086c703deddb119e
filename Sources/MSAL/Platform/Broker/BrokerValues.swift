// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// An account as a broker describes it. Requests return the broker's own values unchanged.
package struct BrokerAccount: Sendable, Hashable {
    /// `<uid>.<utid>`, lowercase.
    package var homeAccountID: String
    /// The user's ID in the tenant `realm`; `nil` if the broker does not provide it.
    package var localAccountID: String?
    /// The tenant of this description; `nil` if the broker does not know it.
    package var realm: String?
    /// The host of the cloud, under one of its names.
    package var environment: String
    /// The user principal name.
    package var username: String
    /// The display name; `nil` if the broker has none.
    package var name: String?
    /// `client_info` as received; some brokers omit it.
    package var clientInfo: String?
    /// The object as the broker sent it.
    var members: [String: JSONValue] = [:]
}

/// What a broker reports about itself and this device.
package struct BrokerInformation: Sendable, Hashable {
    /// The version as the broker states it; `nil` if there is none.
    var version: String?
    var dialect: IdentityBrokerDialect
    /// The device; `nil` if the broker does not report it. No known broker does.
    package var device: BrokerDevice?

    package init(version: String?, dialect: IdentityBrokerDialect, device: BrokerDevice? = nil) {
        self.version = version
        self.dialect = dialect
        self.device = device
    }
}

/// The known families of brokers. They differ in the format of some responses. Every format is accepted from each of
/// them.
package enum IdentityBrokerDialect: String, Sendable, Hashable, CaseIterable {
    /// Microsoft's broker up to 2.0.1.
    case early
    /// Microsoft's broker from 2.0.2 on.
    case current
    /// Himmelblau's broker.
    case himmelblau
    /// An undocumented version.
    case unknown
}

/// The device as a broker describes it (docs/reference/Broker.md#device).
package struct BrokerDevice: Sendable, Hashable {
    /// Whether an administrator set the device up for several people.
    package var isShared = false
    /// Whether the device is registered in a tenant; `nil` if the broker does not report it.
    package var isRegistered: Bool?
    package var deviceID: String?
    package var tenantID: String?
    /// The sign-in method that the administrator prefers, such as `qrpin`.
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
    /// The account for the token; `nil` lets the broker or the user choose.
    package var account: BrokerAccount?
    package var loginHint: String?
    /// The requested claims merged with the client's capabilities (OpenID Connect Core §5.5); `nil` for none.
    package var claims: JSONValue?
    package var prompt: BrokerPrompt?
    /// The parent window, `x11:…` or `wayland:…`; `nil` if there is none.
    var parentWindow: String?
    /// An access token that must not be returned again.
    package var accessTokenToRenew: Secret?
    var extraQueryParameters: [String: String] = [:]
    /// The request that the token should be bound to; `nil` requests a bearer token.
    package var proof: SignedHTTPRequest?
    var correlationID: UUID
}

/// How the broker prompts the user. The raw values are those of OpenID Connect. The broker lets the user choose an
/// account if the request names none.
package enum BrokerPrompt: String, Sendable, Hashable {
    case login
    case consent
}

/// A token issued by a broker.
package struct BrokerToken: Sendable {
    /// An access token, or a signed request that contains one.
    package var accessToken: Secret
    /// Whether the token is bound to a key.
    package var isBound = false
    package var idToken: Secret?
    /// `client_info` as received; `nil` if there is none.
    package var clientInfo: String?
    /// The account in the response; `nil` if the broker omits it, in which case the token belongs to the requested
    /// account.
    package var account: BrokerAccount?
    package var expiresOn: Date
    package var scopes: [String]
}

package struct BrokerCookieRequest: Sendable {
    package var clientID: String
    var authority: URL
    /// The page that will be opened. A nonce of the service in its query makes the cookie valid for one use.
    var url: URL
    package var account: BrokerAccount?
    var correlationID: UUID
}

/// A cookie that signs a browser in. It is also sent as a header with its name.
package struct BrokerCookie: Sendable, Hashable {
    package var name: String
    var content: Secret

    package init(name: String, content: Secret) {
        self.name = name
        self.content = content
    }
}
