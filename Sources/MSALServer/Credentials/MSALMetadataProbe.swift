// Licensed under the MIT License. See LICENSE.

/// How a chain finds out whether the machine has a metadata service, before it asks for a managed identity there.
public struct MSALMetadataProbe: Sendable, Hashable {
    /// The time within which the service has to respond. In some clusters a second is too short.
    public var timeout: Duration = .seconds(1)

    /// Whether the machine's asset tag is enough: a machine whose tag is readable and is not Azure's is not asked. It
    /// is off by default, because the tags of some kinds of virtual machines are not known.
    public var readsAssetTag = false

    /// A probe that waits for one second and does not look at the asset tag.
    public init() {}
}
