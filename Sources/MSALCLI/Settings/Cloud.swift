// Licensed under the MIT License. See LICENSE.

/// A cloud of the service.
struct Cloud: Hashable {
    /// The host names at which the cloud's users sign in.
    let hosts: [String]
    /// The known hosts of its Microsoft Graph. The first is the default.
    let graphs: [String]

    /// The clouds of Microsoft's pages "National clouds" and "Microsoft Graph national cloud deployments". The pages no
    /// longer list Germany's cloud, because it is closed.
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

    /// The cloud that has this host, given without a port; `nil` if no cloud has it.
    static func of(host: String) -> Cloud? { all.first { $0.hosts.contains(host.lowercased()) } }
}
