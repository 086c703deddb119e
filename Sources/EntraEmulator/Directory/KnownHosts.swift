// Licensed under the MIT License. See LICENSE.

/// The clouds whose host names the emulator serves, as instance discovery describes them.
///
/// Source: the public response of `/common/discovery/instance?api-version=1.1`.
struct KnownHosts: Sendable {
    let preferredNetwork: String
    let preferredCache: String
    let aliases: [String]

    init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
        self.preferredNetwork = preferredNetwork
        self.preferredCache = preferredCache
        self.aliases = aliases
    }

    /// A cloud of one name.
    init(_ host: String) {
        self.init(preferredNetwork: host, preferredCache: host, aliases: [host])
    }

    /// The public cloud, China, Germany as it was, the US government, and the sovereign clouds of Europe and Singapore.
    static let all =
        [
            KnownHosts(
                preferredNetwork: "login.microsoftonline.com",
                preferredCache: "login.windows.net",
                aliases: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]
            ),
            KnownHosts(
                preferredNetwork: "login.partner.microsoftonline.cn",
                preferredCache: "login.partner.microsoftonline.cn",
                aliases: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]
            ),
            KnownHosts(
                preferredNetwork: "login.microsoftonline.us",
                preferredCache: "login.microsoftonline.us",
                aliases: ["login.microsoftonline.us", "login.usgovcloudapi.net"]
            ),
        ]
        + [
            "login-us.microsoftonline.com", "login.microsoftonline.de", "login.sovcloud-identity.fr",
            "login.sovcloud-identity.de", "login.sovcloud-identity.sg",
        ].map(KnownHosts.init)

    /// The hosts of the regions, such as `westus2.login.microsoft.com`.
    static let regions = "*.login.microsoft.com"

    /// The host that speaks for a region's: its tokens have the issuer of the whole cloud.
    static func global(of host: String) -> String {
        host.hasSuffix(regions.dropFirst()) ? "login.microsoftonline.com" : host
    }

    /// The host of Microsoft Graph for one of the service's own names, which have no port; `nil` for any other name.
    static func graph(of host: String) -> String? {
        let isCustomers = host.hasSuffix(".ciamlogin.com") || host.hasSuffix(".b2clogin.com")
        guard isCustomers || all.contains(where: { $0.aliases.contains(host) }) else { return nil }
        switch host {
        case "login.microsoftonline.us", "login.usgovcloudapi.net": return "graph.microsoft.us"
        case "login.partner.microsoftonline.cn", "login.chinacloudapi.cn": return "microsoftgraph.chinacloudapi.cn"
        default: return "graph.microsoft.com"
        }
    }
}
