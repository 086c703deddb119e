// Licensed under the MIT License. See LICENSE.

/// Identifies a managed identity of the machine.
public enum MSALManagedIdentityId: Sendable, Hashable {
    /// The system-assigned identity of the machine or app.
    case systemAssigned
    /// A user-assigned identity, by its client ID.
    case clientId(String)
    /// A user-assigned identity, by the object ID of its service principal.
    case objectId(String)
    /// A user-assigned identity, by its resource ID, which begins with `/subscriptions/`.
    case resourceId(String)

    /// The id; `nil` for the one that the system assigned.
    package var value: String? {
        switch self {
        case .systemAssigned: nil
        case .clientId(let id), .objectId(let id), .resourceId(let id): id
        }
    }

    /// The identity, for a message.
    var words: String {
        switch self {
        case .systemAssigned: "the system-assigned identity"
        case .clientId(let id): "the identity with the client ID \(id)"
        case .objectId(let id): "the identity with the object ID \(id)"
        case .resourceId(let id): "the identity with the resource ID \(id)"
        }
    }
}
