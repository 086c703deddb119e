// Licensed under the MIT License. See LICENSE.

/// The properties of an account. The library's own class conforms to it, as do the classes of an app's account store.
public protocol MSALAccountProtocol: NSObjectProtocol {
    /// The display name, usually the user principal name.
    var username: String? { get }
    /// The home account ID, `<object ID>.<tenant ID>`.
    var identifier: String? { get }
    /// The host of the cloud.
    var environment: String { get }
    /// The claims of the home tenant's ID token, if any.
    var accountClaims: [String: Any]? { get }
    /// The account's profile in each tenant; `nil` in a token result.
    var tenantProfiles: [MSALTenantProfile]? { get }
    /// The home account ID with its parts.
    var homeAccountId: MSALAccountId? { get }
    /// Whether the account comes from device-wide single sign-on.
    var isSSOAccount: Bool { get }
}

extension MSALAccountProtocol {
    /// `false` by default: accounts of an app's own store do not come from device-wide single sign-on.
    public var isSSOAccount: Bool { false }
}
