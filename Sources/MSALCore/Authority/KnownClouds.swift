// Licensed under the MIT License. See LICENSE.

import Foundation

/// The hosts of Microsoft Entra ID that this library knows without a request (docs/reference/Protocol.md#known-hosts).
package enum KnownClouds {
    /// The host for instance discovery of unknown hosts.
    package static let discoveryHost = "login.microsoftonline.com"

    /// The hosts of the embedded table, which may be used without confirmation.
    package static let trustedHosts = Set(embedded.flatMap(\.aliases))

    /// The alias names of every cloud, as the service would report them.
    package static let embedded: [CloudMetadata] = [
        CloudMetadata(
            networkHost: "login.microsoftonline.com",
            cacheHost: "login.windows.net",
            aliases: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]
        ),
        CloudMetadata(
            networkHost: "login.partner.microsoftonline.cn",
            cacheHost: "login.partner.microsoftonline.cn",
            aliases: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]
        ),
        CloudMetadata(
            networkHost: "login.microsoftonline.us",
            cacheHost: "login.microsoftonline.us",
            aliases: ["login.microsoftonline.us", "login.usgovcloudapi.net"]
        ),
        CloudMetadata(selfRecordOf: "login.microsoftonline.de"),
        CloudMetadata(selfRecordOf: "login-us.microsoftonline.com"),
        CloudMetadata(selfRecordOf: "login.sovcloud-identity.fr"),
        CloudMetadata(selfRecordOf: "login.sovcloud-identity.de"),
        CloudMetadata(selfRecordOf: "login.sovcloud-identity.sg"),
    ]

    /// Whether `environment` is a trusted host. A host with a port is another environment and not trusted.
    package static func isTrusted(_ environment: String) -> Bool {
        trustedHosts.contains(environment.lowercased())
    }

    /// The embedded record of the cloud that `environment` belongs to.
    package static func metadata(for environment: String) -> CloudMetadata? {
        byEnvironment[environment.lowercased()]
    }

    /// The host in the issuer of access tokens of version 1.0 (Microsoft's page "Access token claims reference", claim `iss`).
    package static func version1IssuerHost(of cloud: CloudMetadata) -> String {
        switch cloud.networkHost {
        case "login.partner.microsoftonline.cn": "sts.chinacloudapi.cn"
        case "login.microsoftonline.de": "sts.microsoftonline.de"
        default: "sts.windows.net"
        }
    }

    private static let byEnvironment = CloudMetadata.byAlias(embedded)
}
