// Licensed under the MIT License. See LICENSE.

import MSALCore

/// Microsoft Entra ID: work, school and personal accounts.
public final class MSALAADAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from its URL, such as `https://login.microsoftonline.com/common`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``: the detail -42008 if the URL lacks https, a host, or a tenant;
    ///   -42000 if it is a URL of B2C, External ID, or AD FS. Correct the URL.
    public convenience init(url: URL) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .aad(url) })
    }

    /// Creates an authority from its URL. `rawTenant` replaces the tenant in the URL; `nil` keeps it.
    ///
    /// - Throws: The same errors as ``init(url:)``.
    public convenience init(url: URL, rawTenant: String?) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .aad(url, rawTenant: rawTenant) })
    }

    /// Creates an authority from cloud and audience.
    ///
    /// `rawTenant` is required with `azureADMyOrgOnlyAudience` and not allowed with the others.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for an invalid combination. Correct it.
    public convenience init(
        cloudInstance: MSALAzureCloudInstance,
        audienceType: MSALAudienceType,
        rawTenant: String?
    ) throws {
        let host = cloudInstance.cloud.host
        try self.init(environment: host, audienceType: audienceType, rawTenant: rawTenant)
    }

    /// Creates an authority from host and audience.
    ///
    /// `environment` is the host of the cloud. `rawTenant` is required with `azureADMyOrgOnlyAudience` and not allowed
    /// with the others.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for a blank host or an invalid
    ///   combination. Correct it.
    public convenience init(environment: String, audienceType: MSALAudienceType, rawTenant: String?) throws {
        self.init(
            core: try throwingNSError { () throws(AuthorityError) in
                try .aad(host: environment, audience: audienceType.audience, rawTenant: rawTenant)
            }
        )
    }
}

/// The audience of an authority: the accounts that it signs in.
public enum MSALAudienceType: Int, Sendable {
    /// Work, school and personal accounts; path `common`.
    case azureADAndPersonalMicrosoftAccountAudience = 0
    /// Work and school accounts of any tenant; path `organizations`.
    case azureADMultipleOrgsAudience = 1
    /// Accounts of one tenant, which must be specified.
    case azureADMyOrgOnlyAudience = 2
    /// Personal accounts; path `consumers`.
    case personalMicrosoftAccountAudience = 3

    var audience: AADAudience {
        switch self {
        case .azureADAndPersonalMicrosoftAccountAudience: .organizationsAndPersonal
        case .azureADMultipleOrgsAudience: .organizations
        case .azureADMyOrgOnlyAudience: .myOrganization
        case .personalMicrosoftAccountAudience: .personal
        }
    }
}

/// A cloud of Microsoft Entra ID.
public enum MSALAzureCloudInstance: Int, Sendable {
    /// The worldwide cloud, login.microsoftonline.com.
    case publicCloudInstance = 0
    /// China, login.chinacloudapi.cn.
    case chinaCloudInstance = 1
    /// The earlier German cloud, login.microsoftonline.de.
    case germanyCloudInstance = 2
    /// The US government, login.microsoftonline.us.
    case usGovernmentCloudInstance = 3
    /// France, login.sovcloud-identity.fr.
    case franceCloudInstance = 4
    /// Delos in Germany, login.sovcloud-identity.de.
    case delosCloudInstance = 5
    /// The government of Singapore, login.sovcloud-identity.sg.
    case govSGCloudInstance = 6

    var cloud: AzureCloud {
        switch self {
        case .publicCloudInstance: .public
        case .chinaCloudInstance: .china
        case .germanyCloudInstance: .germany
        case .usGovernmentCloudInstance: .usgov
        case .franceCloudInstance: .france
        case .delosCloudInstance: .delos
        case .govSGCloudInstance: .govsg
        }
    }
}
