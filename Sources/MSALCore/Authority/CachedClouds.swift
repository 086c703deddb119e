// Licensed under the MIT License. See LICENSE.

/// The result of instance discovery for an environment.
struct CloudRecord: Sendable {
    /// The environment's cloud.
    let cloud: CloudMetadata
    /// The service's reason if it does not know the environment. It is `nil` if the service knows it.
    var rejection: String?
}

/// The clouds that instance discovery named, by environment (docs/reference/Protocol.md#cloud-record).
///
/// A host for which only the app vouches may describe itself. The description is kept apart, holds for that host only,
/// and cannot mention a trusted host. Otherwise one app's test server could redirect another app's tokens.
struct CachedClouds: Sendable {
    private var confirmed: [String: CloudRecord] = [:]
    private var vouchedFor: [String: CloudRecord] = [:]

    subscript(environment: String, from source: DiscoverySource) -> CloudRecord? {
        switch source {
        case .service: confirmed[environment]
        case .ownHost: vouchedFor[environment]
        }
    }

    /// The names of `environment` for the cache, from either source.
    func names(of environment: String) -> CloudMetadata? {
        let records = [confirmed[environment], vouchedFor[environment]]
        return records.compactMap { $0 }.first { $0.rejection == nil }?.cloud
    }

    /// The number of known environments.
    var count: Int { confirmed.count + vouchedFor.count }

    /// The preferred hosts that the service named.
    var networks: Set<String> { Set(confirmed.values.filter { $0.rejection == nil }.map(\.cloud.networkHost)) }

    /// Stores a response about `environment` and returns its record.
    mutating func store(
        _ clouds: [CloudMetadata],
        about environment: String,
        from source: DiscoverySource
    ) -> CloudRecord {
        switch source {
        case .service:
            for (alias, cloud) in CloudMetadata.byAlias(clouds) { confirmed[alias] = CloudRecord(cloud: cloud) }
            let record = CloudRecord(cloud: CloudMetadata.record(for: environment, in: clouds))
            confirmed[environment] = record
            return record
        case .ownHost:
            let harmless = clouds.filter { cloud in
                !([cloud.networkHost, cloud.cacheHost] + cloud.aliases).contains(where: KnownClouds.isTrusted)
            }
            let record = CloudRecord(cloud: CloudMetadata.record(for: environment, in: harmless))
            vouchedFor[environment] = record
            return record
        }
    }

    /// Remembers that the service does not know `environment`.
    mutating func reject(_ environment: String, from source: DiscoverySource, because reason: String) -> CloudRecord {
        let record = CloudRecord(cloud: CloudMetadata(selfRecordOf: environment), rejection: reason)
        switch source {
        case .service: confirmed[environment] = record
        case .ownHost: vouchedFor[environment] = record
        }
        return record
    }
}

/// The host to which instance discovery sends its request.
enum DiscoverySource: String, Sendable {
    /// A trusted host. Its response holds for every authority.
    case service
    /// The authority's own host, for which only the app vouches.
    case ownHost
}
