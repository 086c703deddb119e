// Licensed under the MIT License. See LICENSE.

public import MSAL
import MSALBase

extension MSALAccount {
    /// An account made of values, as a query gives it.
    ///
    /// - Parameters:
    ///   - username: The name to show.
    ///   - identifier: The home account id, `<object id>.<tenant id>`. Accounts are equal if theirs are. `nil` makes one of
    ///     the user name.
    ///   - environment: The host of the cloud.
    ///   - claims: The claims of the home tenant's id token.
    ///   - tenantProfiles: The account as each tenant knows it.
    public convenience init(
        username: String,
        identifier: String? = nil,
        environment: String = "login.microsoftonline.com",
        claims: [String: any Encodable & Sendable] = [:],
        tenantProfiles: [MSALTenantProfile] = []
    ) {
        let parts = username.split(separator: "@", maxSplits: 1).map { $0.replacing(".", with: "-") }
        self.init(
            identifier: identifier ?? parts.joined(separator: "."),
            username: username,
            environment: environment,
            idToken: Secret(unsignedTokenOf: claims),
            tenantProfiles: tenantProfiles
        )
    }
}

extension MSALTenantProfile {
    /// An account as one tenant knows it, made of values.
    ///
    /// - Parameters:
    ///   - identifier: The user's id in that tenant.
    ///   - tenantId: The tenant's id.
    ///   - environment: The host of the cloud.
    ///   - isHomeTenantProfile: Whether this is the tenant that the account lives in.
    ///   - claims: The claims of the id token of that tenant.
    public convenience init(
        identifier: String,
        tenantId: String,
        environment: String = "login.microsoftonline.com",
        isHomeTenantProfile: Bool = false,
        claims: [String: any Encodable & Sendable] = [:]
    ) {
        self.init(
            identifier: identifier,
            tenantID: tenantId,
            environment: environment,
            isHome: isHomeTenantProfile,
            idToken: Secret(unsignedTokenOf: claims)
        )
    }
}
