// Licensed under the MIT License. See LICENSE.

/// The memory that all managed identities of a process share: their tokens, and their turn at IMDS, which takes few
/// requests at once.
final class ManagedIdentityMemory: Sendable {
    let cache = AccessTokenCache()
    let line = AsyncSerialQueue()

    /// The memory of the process with this `environment`.
    static func of(_ environment: ServerEnvironment) -> ManagedIdentityMemory {
        environment.memory.part(ManagedIdentityMemory.self) { ManagedIdentityMemory() }
    }

    /// The partition of an identity at a host. The letter case of an id does not matter.
    func partition(
        of identity: MSALManagedIdentityId,
        at source: MSALManagedIdentitySource
    ) -> AccessTokenCache.Partition {
        let kind =
            switch identity {
            case .systemAssigned: "system_assigned_managed_identity"
            case .clientId(let id), .objectId(let id), .resourceId(let id): id.lowercased()
            }
        return cache.partition(environment: source.kind.rawValue, clientID: kind)
    }

    /// The realm of every managed identity.
    static let realm = "managed_identity"
}
