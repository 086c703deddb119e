// Licensed under the MIT License. See LICENSE.

/// A cloud of Microsoft Entra ID that an app may name instead of a host (docs/reference/Protocol.md#entra-authority).
package enum AzureCloud: String, Sendable, CaseIterable {
    case `public`
    case china
    case germany
    case usgov
    case france
    case delos
    case govsg

    /// The host that serves sign-in for this cloud.
    package var host: String {
        switch self {
        case .public: "login.microsoftonline.com"
        case .china: "login.chinacloudapi.cn"
        case .germany: "login.microsoftonline.de"
        case .usgov: "login.microsoftonline.us"
        case .france: "login.sovcloud-identity.fr"
        case .delos: "login.sovcloud-identity.de"
        case .govsg: "login.sovcloud-identity.sg"
        }
    }
}

/// The accounts that can sign in at an Entra ID authority.
package enum AADAudience: Sendable, Hashable, CaseIterable {
    /// Work, school and personal accounts: `common`.
    case organizationsAndPersonal
    /// Work and school accounts of any tenant: `organizations`.
    case organizations
    /// Personal accounts: `consumers`.
    case personal
    /// Accounts of one tenant, which must be specified.
    case myOrganization
}
