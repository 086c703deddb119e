// Licensed under the MIT License. See LICENSE.

/// A cloud of the service.
struct Cloud: Hashable {
    /// The names of the host that the cloud's users sign in at.
    let hosts: [String]
    /// The known hosts of its Microsoft Graph. The first is the default.
    let graphs: [String]

    /// Microsoft's pages "National clouds" and "Microsoft Graph national cloud deployments"; Germany's cloud, which is
    /// closed, is no longer on them.
    static let all = [
        Cloud(
            hosts: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
            graphs: ["graph.microsoft.com"]
        ),
        Cloud(
            hosts: ["login.microsoftonline.us", "login.usgovcloudapi.net"],
            graphs: ["graph.microsoft.us", "dod-graph.microsoft.us"]
        ),
        Cloud(
            hosts: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"],
            graphs: ["microsoftgraph.chinacloudapi.cn"]
        ),
        Cloud(hosts: ["login.microsoftonline.de"], graphs: ["graph.microsoft.de"]),
        Cloud(hosts: ["login-us.microsoftonline.com"], graphs: []),
        Cloud(hosts: ["login.sovcloud-identity.fr"], graphs: []),
        Cloud(hosts: ["login.sovcloud-identity.de"], graphs: []),
        Cloud(hosts: ["login.sovcloud-identity.sg"], graphs: []),
    ]

    /// The cloud with a host of this name, without a port; `nil` for a host of no cloud.
    static func of(host: String) -> Cloud? {
        all.first { $0.hosts.contains(host.lowercased()) }
    }
}
