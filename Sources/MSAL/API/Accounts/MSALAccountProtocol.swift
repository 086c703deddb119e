// Licensed under the MIT License. See LICENSE.

/// The properties of an account. The library's own class adopts it, and so do the classes of an app's account store.
public protocol MSALAccountProtocol: NSObjectProtocol {
    /// The name to show, mostly the user principal name.
    var username: String? { get }
    /// The home account id, `<object id>.<tenant id>`.
    var identifier: String? { get }
    /// The host of the cloud.
    var environment: String { get }
    /// The id token claims of the home tenant, if there are any.
    var accountClaims: [String: Any]? { get }
    /// The account as each tenant knows it; `nil` in a token result.
    var tenantProfiles: [MSALTenantProfile]? { get }
    /// The home account id with its parts.
    var homeAccountId: MSALAccountId? { get }
    /// Whether the account comes from device-wide single sign-on.
    var isSSOAccount: Bool { get }
}

extension MSALAccountProtocol {
    /// `false`: accounts of an app's own store are not from device-wide single sign-on unless they say so.
    public var isSSOAccount: Bool { false }
}
