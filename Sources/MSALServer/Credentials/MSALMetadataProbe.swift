// Licensed under the MIT License. See LICENSE.

/// How a chain detects a metadata service before it requests a token for a managed identity there.
public struct MSALMetadataProbe: Sendable, Hashable {
    /// The time limit for the service's response. In some clusters, one second is too short.
    public var timeout: Duration = .seconds(1)

    /// Whether to skip the probe on a machine whose asset tag is readable and is not Azure's. Off by default, because
    /// the asset tags of some types of virtual machines are unknown.
    public var readsAssetTag = false

    /// Creates a probe that waits for one second and does not read the asset tag.
    public init() {}
}
