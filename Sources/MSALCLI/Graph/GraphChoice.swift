// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Chooses the Microsoft Graph that gets a token. It must belong to the cloud that issued the token.
enum GraphChoice {
    /// The address of Microsoft Graph. The user's choice comes first, then the authority's metadata, then the known
    /// host of the authority's cloud.
    ///
    /// - Parameters:
    ///   - named: What the user names.
    ///   - environment: The host that issued the token, with its port.
    ///   - published: The host in the authority's metadata. It is asked for only if it is needed.
    /// - Returns: An https address.
    /// - Throws: `Failure` with the status `usage`, if the token must not be sent there or the address is unknown; what
    ///   `published` throws, if nothing else is known.
    static func url(named: URL?, environment: String, published: () async throws -> String?) async throws -> URL {
        if let named {
            try check(named, environment: environment)
            return named
        }
        let cloud = cloud(of: environment)
        var host = cloud?.graphs.first
        // If the cloud's Microsoft Graph is known, the metadata would only cost a request.
        if cloud?.graphs.count != 1 {
            do {
                host = try await published() ?? host
            } catch {
                guard host != nil else { throw error }
            }
        }
        guard let host, let url = URL(string: "https://\(host)/") else {
            throw Failure.usage(
                "The command does not know the Microsoft Graph of \(environment).",
                remedy: "Pass --graph-url, or set MSAL_GRAPH_URL or the profile's graph_url."
            )
        }
        try check(
            url,
            environment: environment,
            remedy: "It is named in the metadata of \(environment). Pass --graph-url for another one."
        )
        // The hosts of the service's clouds are all known. Elsewhere metadata may not name a host of this machine.
        guard cloud?.graphs.contains(name(host)) ?? (isLoopback(environment) || !isLoopback(host)) else {
            throw Failure.usage(
                "The metadata of \(environment) name a Microsoft Graph of another cloud: \(host)",
                remedy: "If this is correct, pass --graph-url."
            )
        }
        return url
    }

    /// Makes sure that a token of an environment may go to a Microsoft Graph. The remedy depends on who named it.
    ///
    /// - Throws: `Failure` with the status `usage`, if it is another cloud's, or not on this machine where the authority
    ///   is.
    static func check(
        _ graph: URL,
        environment: String,
        remedy: String = "Without --graph-url, MSAL_GRAPH_URL and graph_url, the token is sent to its own cloud."
    ) throws(Failure) {
        let host = name(ServiceHost(graph)?.environment ?? "")
        guard !isLoopback(environment) || isLoopback(host) else {
            throw .usage("A token of \(environment), on this machine, is not sent to \(host).", remedy: remedy)
        }
        guard let own = cloud(of: environment), let other = Cloud.all.first(where: { $0.graphs.contains(host) }) else {
            return
        }
        guard own == other else {
            throw .usage(
                "\(host) belongs to another cloud than \(environment), so the token is not sent there.",
                remedy: remedy
            )
        }
    }

    /// The cloud of an environment; `nil` if it is of no cloud or nothing is known of its Microsoft Graph.
    private static func cloud(of environment: String) -> Cloud? {
        let host = name(environment)
        let isCustomers = host.hasSuffix(".b2clogin.com") || host.hasSuffix(".ciamlogin.com")
        let cloud = isCustomers ? Cloud.all.first : Cloud.of(host: host)
        return cloud.flatMap { $0.graphs.isEmpty ? nil : $0 }
    }

    private static func isLoopback(_ environment: String) -> Bool {
        ServiceHost(environment: environment)?.isLoopback ?? false
    }

    /// The host of an environment, in its one spelling.
    private static func name(_ environment: String) -> String {
        let host = ServiceHost(environment: environment)?.name ?? environment
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
