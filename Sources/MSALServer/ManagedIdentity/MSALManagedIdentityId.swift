// Licensed under the MIT License. See LICENSE.

/// The identity of the machine that gives the token.
public enum MSALManagedIdentityId: Sendable, Hashable {
    /// The one that the system assigned to the machine or to the app.
    case systemAssigned
    /// An identity that a user assigned, by its client id.
    case clientId(String)
    /// One that a user assigned, by the object id of its service principal.
    case objectId(String)
    /// An identity that a user assigned, by its resource id. The id begins with `/subscriptions/`.
    case resourceId(String)

    /// The id; `nil` for the one that the system assigned.
    package var value: String? {
        switch self {
        case .systemAssigned: nil
        case .clientId(let id), .objectId(let id), .resourceId(let id): id
        }
    }

    /// The id for a message.
    var words: String {
        switch self {
        case .systemAssigned: "the system-assigned identity"
        case .clientId(let id): "the identity with the client id \(id)"
        case .objectId(let id): "the identity with the object id \(id)"
        case .resourceId(let id): "the identity with the resource id \(id)"
        }
    }
}
