// Licensed under the MIT License. See LICENSE.

/// The clouds whose host names the emulator answers for, as instance discovery describes them.
///
/// Source: the public answer of `/common/discovery/instance?api-version=1.1`.
struct KnownHosts: Sendable {
    let preferredNetwork: String
    let preferredCache: String
    let aliases: [String]

    /// The public cloud, China and the US government.
    static let all = [
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
        KnownHosts(
            preferredNetwork: "login-us.microsoftonline.com",
            preferredCache: "login-us.microsoftonline.com",
            aliases: ["login-us.microsoftonline.com"]
        ),
    ]
}
