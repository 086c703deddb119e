// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The hosts of one cloud: for requests, for the cache, and all aliases (docs/reference/Protocol.md#cloud-record).
package struct CloudMetadata: Sendable, Hashable {
    /// The host that receives requests, with a port unless that is 443.
    package let networkHost: String
    /// The environment of new cache records.
    package let cacheHost: String
    /// Every environment of this cloud, in the server's order.
    package let aliases: [String]
    /// The environment of new cache records and the aliases, each once.
    private let environments: [String]

    /// Creates a record. The names are stored in lower case for comparison.
    package init(networkHost: String, cacheHost: String, aliases: [String]) {
        self.networkHost = networkHost.lowercased()
        self.cacheHost = cacheHost.lowercased()
        self.aliases = aliases.map { $0.lowercased() }
        var seen: Set<String> = []
        environments = ([self.cacheHost] + self.aliases).filter { seen.insert($0).inserted }
    }

    /// Creates a record with a single environment.
    package init(selfRecordOf environment: String) {
        self.init(networkHost: environment, cacheHost: environment, aliases: [environment])
    }

    /// The records of `clouds` by each of their names.
    package static func byAlias(_ clouds: [CloudMetadata]) -> [String: CloudMetadata] {
        let pairs = clouds.flatMap { cloud in cloud.aliases.map { ($0, cloud) } }
        return Dictionary(pairs) { _, later in later }
    }

    /// The environments under which the cache may hold records of `environment`, with the likeliest first.
    package func lookupEnvironments(for environment: String) -> [String] {
        if environment == cacheHost { return environments }
        return [cacheHost, environment] + environments.dropFirst().filter { $0 != environment }
    }

    /// The authority that receives the requests for `authority`.
    package func network(of authority: Authority) -> Authority {
        authority.replacingHost(networkHost)
    }

    /// The URL with this cloud's host for requests. A URL outside this cloud is unchanged.
    package func network(of url: URL) -> URL {
        guard let address = AuthorityAddress(url), aliases.contains(address.environment) else { return url }
        return address.replacingEnvironment(networkHost, of: url)
    }
}

extension CloudMetadata {
    /// Reads the `metadata` member of an instance discovery response. An absent one lists no clouds.
    ///
    /// - Throws: `.invalidResponse` if a member is missing, has the wrong type, or is not a host
    ///   (docs/reference/Protocol.md#instance-discovery).
    package static func parse(_ metadata: JSONValue?) throws(AuthorityError) -> [CloudMetadata] {
        guard let metadata, metadata != .null else { return [] }
        guard let entries = metadata.array else { throw malformed("metadata is not an array") }
        var clouds: [CloudMetadata] = []
        for entry in entries {
            guard let members = entry.object else { throw malformed("an entry of metadata is not an object") }
            let network = try host(members["preferred_network"], named: "preferred_network")
            let cache = try host(members["preferred_cache"], named: "preferred_cache")
            guard let aliases = members["aliases"]?.array else { throw malformed("aliases is not an array") }
            var names: [String] = []
            for alias in aliases { names.append(try host(alias, named: "aliases")) }
            clouds.append(CloudMetadata(networkHost: network, cacheHost: cache, aliases: names))
        }
        return clouds
    }

    /// The record of `environment` among `clouds`. If none lists it, a record for this environment only.
    package static func record(for environment: String, in clouds: [CloudMetadata]) -> CloudMetadata {
        byAlias(clouds)[environment] ?? CloudMetadata(selfRecordOf: environment)
    }

    private static func host(_ value: JSONValue?, named name: String) throws(AuthorityError) -> String {
        guard let text = value?.string, AuthorityAddress.isEnvironment(text) else {
            throw malformed("\(name) does not contain host names")
        }
        return text
    }

    private static func malformed(_ what: String) -> AuthorityError {
        AuthorityError(.invalidResponse, message: "The response of instance discovery is malformed: \(what).")
    }
}
