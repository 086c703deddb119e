// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore

/// Which Microsoft Graph a token may go to: one of the cloud that issued it.
enum GraphChoice {
    private struct Cloud {
        /// The host that the cloud's users sign in at.
        var login: String
        /// The first is meant where nobody says more.
        var graphs: [String]
    }

    /// Microsoft's page "Microsoft Graph national cloud deployments"; Germany's, which is closed, is no longer on it.
    private static let clouds = [
        Cloud(login: "login.microsoftonline.com", graphs: ["graph.microsoft.com"]),
        Cloud(login: "login.microsoftonline.us", graphs: ["graph.microsoft.us", "dod-graph.microsoft.us"]),
        Cloud(login: "login.partner.microsoftonline.cn", graphs: ["microsoftgraph.chinacloudapi.cn"]),
        Cloud(login: "login.microsoftonline.de", graphs: ["graph.microsoft.de"]),
    ]

    /// The address of Microsoft Graph: what the user names, else what the authority names, else what is known of the
    /// authority's cloud.
    ///
    /// - Parameters:
    ///   - named: What the user names.
    ///   - environment: The host that issued the token, with its port.
    ///   - published: The host in the authority's metadata. It is asked for only if it is needed.
    /// - Returns: An https address.
    /// - Throws: `Failure` with the status `usage`, if the token must not go there or nobody knows where; what
    ///   `published` throws, if nothing else is known.
    static func url(
        named: URL?,
        environment: String,
        published: () async throws -> String?
    ) async throws -> URL {
        if let named {
            try check(named, environment: environment)
            return named
        }
        let cloud = cloud(of: environment)
        var host = cloud?.graphs.first
        // Where a cloud has one, the metadata would only cost a request.
        if cloud?.graphs.count != 1 {
            do {
                host = try await published() ?? host
            } catch {
                guard host != nil else { throw error }
            }
        }
        guard let host, let url = URL(string: "https://\(host)/") else {
            throw Failure.usage(
                "Nobody says where Microsoft Graph is for \(environment).",
                remedy: "Pass --graph-url, or set MSAL_GRAPH_URL or the profile's graph_url."
            )
        }
        try check(url, environment: environment)
        // Of the service's clouds all is known, and elsewhere nobody may point into this machine.
        guard cloud?.graphs.contains(name(host)) ?? (isLoopback(environment) || !isLoopback(host)) else {
            throw Failure.usage(
                "The metadata of \(environment) name a Microsoft Graph that is not one of its cloud: \(host)",
                remedy: "If that is right, pass --graph-url."
            )
        }
        return url
    }

    /// Makes sure that a token of an environment may go to a Microsoft Graph.
    ///
    /// - Throws: `Failure` with the status `usage`, if it is another cloud's, or not on this machine where the authority
    ///   is.
    static func check(_ graph: URL, environment: String) throws(Failure) {
        let remedy = "Without --graph-url, MSAL_GRAPH_URL and graph_url the token goes to its own cloud."
        let host = name(AuthorityAddress(graph)?.environment ?? "")
        guard !isLoopback(environment) || isLoopback(host) else {
            throw .usage("A token of \(environment), on this machine, does not go to \(host).", remedy: remedy)
        }
        guard let own = cloud(of: environment), let other = clouds.first(where: { $0.graphs.contains(host) }) else {
            return
        }
        guard own.login == other.login else {
            throw .usage(
                "\(host) is the Microsoft Graph of another cloud, and a token of \(environment) does not go there.",
                remedy: remedy
            )
        }
    }

    /// The cloud of an environment; `nil` if it is of no cloud or nothing is known of its Microsoft Graph.
    private static func cloud(of environment: String) -> Cloud? {
        let host = name(environment)
        let isCustomers = host.hasSuffix(".b2clogin.com") || host.hasSuffix(".ciamlogin.com")
        let login = isCustomers ? clouds[0].login : KnownClouds.metadata(for: host)?.networkHost
        return clouds.first { $0.login == login }
    }

    private static func isLoopback(_ environment: String) -> Bool {
        URL(string: "https://\(environment)").flatMap(AuthorityAddress.init)?.isLoopback ?? false
    }

    /// The host of an environment, in its one spelling.
    private static func name(_ environment: String) -> String {
        let host = URL(string: "https://\(environment)").flatMap(AuthorityAddress.init)?.host ?? environment
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
