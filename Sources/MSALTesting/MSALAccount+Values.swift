// Licensed under the MIT License. See LICENSE.

public import MSAL
import MSALBase

extension MSALAccount {
    /// Creates an account from values, like one that a query returns.
    ///
    /// - Parameters:
    ///   - username: The display name.
    ///   - identifier: The home account ID, `<object ID>.<tenant ID>`. Accounts are equal if their identifiers are.
    ///     `nil` derives one from the user name.
    ///   - environment: The host of the cloud.
    ///   - claims: The claims of the home tenant's ID token.
    ///   - tenantProfiles: The account's profile in each tenant.
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
    /// Creates a tenant profile from values.
    ///
    /// - Parameters:
    ///   - identifier: The user's ID in that tenant.
    ///   - tenantId: The tenant's ID.
    ///   - environment: The host of the cloud.
    ///   - isHomeTenantProfile: Whether this is the account's home tenant.
    ///   - claims: The claims of that tenant's ID token.
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
