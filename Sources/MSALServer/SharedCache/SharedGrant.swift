// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// What a store holds of a user or a session beside access tokens: the account, the claims of the id token, the refresh
/// token, and which access tokens there are.
struct SharedGrant: Sendable {
    /// An access token that the store holds under a name of its own.
    struct Resource: Sendable, Hashable {
        let realm: String
        /// The scopes that were asked for, sorted.
        let asked: [String]
        /// The scopes that the token serves.
        let target: Set<String>
        let bytes: Int
    }

    let user: TokenUser
    var refreshToken: Secret?
    /// The one that was written last is the last.
    private(set) var resources: [Resource] = []

    /// Adds an access token in place of the one for the same scopes.
    ///
    /// - Returns: Those for which there is no room any more: beyond 32, or beyond 64 KiB together with the grant. It is the new
    ///   one if it has no room even alone.
    mutating func keep(_ resource: Resource) -> [Resource] {
        let others = resources.filter { $0.realm != resource.realm || $0.asked != resource.asked }
        resources = [resource]
        guard partitionBytes <= SealedValue.mostBytes else {
            resources = others
            return [resource]
        }
        resources = others + [resource]
        var removed: [Resource] = []
        while resources.count > Self.mostResources || partitionBytes > SealedValue.mostBytes {
            removed.append(resources.removeFirst())
        }
        return removed
    }

    /// As many resources as one user has tokens for.
    static let mostResources = 32

    /// What the store holds of the user: the grant and the access tokens, all sealed.
    private var partitionBytes: Int {
        resources.reduce(bytes.count + SealedValue.overhead) { $0 + $1.bytes + SealedValue.overhead }
    }

    // MARK: - Coding

    /// The grant as bytes, which are secret.
    var bytes: [UInt8] {
        var members: [String: JSONValue] = [
            "id": .string(user.homeAccountID),
            "claims": .object(user.claims.mapValues(JSONValue.init)),
            "resources": .array(resources.map(\.value)),
        ]
        members["refresh"] = refreshToken.map { .string($0.exposed) }
        return JSONWriter.bytes(of: .object(members))
    }
}

extension SharedGrant {
    /// Reads what ``bytes`` wrote; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let members = JSONValue(parsing: Data(bytes))?.object, let id = members["id"]?.string,
            let claims = members["claims"]?.object, let resources = members["resources"]?.array
        else { return nil }
        self.init(
            user: TokenUser(homeAccountID: id, claims: claims.mapValues(MSALClaimValue.init)),
            refreshToken: members["refresh"]?.string.map(Secret.init),
            resources: resources.compactMap(Resource.init)
        )
    }
}

extension SharedGrant.Resource {
    fileprivate var value: JSONValue {
        .array([
            .string(realm), .array(asked.map(JSONValue.string)), .array(target.sorted().map(JSONValue.string)),
            .integer(Int64(bytes)),
        ])
    }

    fileprivate init?(_ value: JSONValue) {
        guard let parts = value.array, parts.count == 4, let realm = parts[0].string, let asked = parts[1].array,
            let target = parts[2].array, case .integer(let bytes) = parts[3]
        else { return nil }
        self.init(
            realm: realm,
            asked: asked.compactMap(\.string),
            target: Set(target.compactMap(\.string)),
            bytes: Int(clamping: bytes)
        )
    }
}

extension JSONValue {
    fileprivate init(_ claim: MSALClaimValue) {
        self =
            switch claim {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(JSONValue.init))
            case .object(let members): .object(members.mapValues(JSONValue.init))
            }
    }
}
