// Licensed under the MIT License. See LICENSE.

/// The clouds whose host names the emulator serves, as instance discovery describes them.
///
/// Source: the public response of `/common/discovery/instance?api-version=1.1`.
struct KnownHosts: Sendable {
    let preferredNetwork: String
    let preferredCache: String
    let aliases: [String]

    /// The public cloud, China, the former German cloud, the US government, and the sovereign clouds of Europe and
    /// Singapore.
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

    /// The hosts of clouds with regions, each with the global host of the cloud. A region has its own host, such as
    /// `westus2.login.microsoft.com`.
    private static let regional =
        [("login.microsoft.com", "login.microsoftonline.com"), ("localhost", "localhost")]
        + all.dropFirst().map { ($0.preferredNetwork, $0.preferredNetwork) }

    /// The hosts that request a client certificate, each with the global host of the cloud. They have regions, too.
    private static let asking = [
        ("mtlsauth.microsoft.com", "login.microsoftonline.com"),
        ("mtlsauth.microsoftonline.us", "login.microsoftonline.us"),
        ("mtlsauth.partner.microsoftonline.cn", "login.partner.microsoftonline.cn"),
        ("mtlsauth.localhost", "localhost"),
    ]
    /// Microsoft Graph for tokens that are bound to a certificate.
    private static let askingGraph = "mtlstb.graph.microsoft.com"

    /// The names of all regions, as wildcards for a certificate.
    static let regions = regional.map { "*.\($0.0)" }

    /// The names for mutual TLS, as wildcards for a certificate.
    static let mutualTLS = asking.flatMap { [$0.0, "*.\($0.0)"] } + [askingGraph]

    /// Microsoft Graph in the clouds. Source: Microsoft's page "Microsoft Graph national cloud deployments".
    static let graphs = [
        "graph.microsoft.com", "graph.microsoft.us", "dod-graph.microsoft.us", "microsoftgraph.chinacloudapi.cn",
    ]

    /// The global host of the cloud, for a regional host or a host for mutual TLS. Tokens name the issuer of the global
    /// host.
    static func global(of host: String) -> String {
        if let entry = asking.first(where: { isOrBelongsTo($0.0, host: host) }) { return entry.1 }
        return regional.first { host.hasSuffix(".\($0.0)") }?.1 ?? host
    }

    /// Whether this host requests a client certificate.
    static func isForMutualTLS(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == askingGraph || asking.contains { isOrBelongsTo($0.0, host: host) }
    }

    /// The host for mutual TLS in the same cloud as a host name of the service; `nil` if there is none.
    static func mutualTLS(of host: String) -> String? {
        guard let cloud = all.first(where: { $0.aliases.contains(host) }) else { return nil }
        return asking.first { cloud.aliases.contains($0.1) }?.0
    }

    private static func isOrBelongsTo(_ name: String, host: String) -> Bool {
        host == name || host.hasSuffix(".\(name)")
    }

    /// The host of Microsoft Graph for a host name of the service, without a port; `nil` for any other name.
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

extension KnownHosts {
    /// A cloud with a single host name.
    init(_ host: String) {
        self.init(preferredNetwork: host, preferredCache: host, aliases: [host])
    }
}
