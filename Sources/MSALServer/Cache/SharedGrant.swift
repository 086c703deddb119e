// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The stored data of a user or session other than the access tokens: the account, the claims of the ID token, the
/// refresh token, and the list of access tokens.
struct SharedGrant: Sendable {
    /// An access token that is stored under a separate name.
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
    /// The access tokens, in the order in which they were written.
    private(set) var resources: [Resource] = []

    /// Adds an access token, replacing the one for the same scopes.
    ///
    /// - Returns: The tokens to remove, because there are more than 32, or because they exceed 64 KiB together with the
    ///   grant. It is only the new token if that does not fit even without the others.
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

    /// The largest number of resources for which one user has tokens.
    static let mostResources = 32

    /// What the store holds of the user: the grant and the access tokens, all sealed.
    private var partitionBytes: Int {
        resources.reduce(bytes.count + SealedValue.overhead) { $0 + $1.bytes + SealedValue.overhead }
    }

    // MARK: - Coding

    /// The grant as bytes, which are secret.
    var bytes: [UInt8] {
        var writer = ValueWriter()
        writer.write(text: user.homeAccountID)
        writer.write(claims: user.claims)
        writer.write(optional: refreshToken) { $0.write(text: $1.exposed) }
        writer.write(count: resources.count)
        for resource in resources {
            writer.write(text: resource.realm)
            writer.write(texts: resource.asked)
            writer.write(texts: resource.target.sorted())
            writer.write(count: resource.bytes)
        }
        return writer.bytes
    }
}

extension SharedGrant {
    /// Reads what ``bytes`` wrote; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        var reader = ValueReader(bytes)
        // Bytes in another format are a result, not an error.
        guard let grant = try? reader.grant() else { return nil }
        self = grant
    }
}

extension ValueReader {
    fileprivate mutating func grant() throws(Fault) -> SharedGrant {
        let user = TokenUser(homeAccountID: try text(), claims: try claims())
        let refreshToken = try hasValue() ? Secret(text()) : nil
        var resources: [SharedGrant.Resource] = []
        for _ in 0..<(try count()) { resources.append(try resource()) }
        guard isAtEnd else { throw Fault() }
        return SharedGrant(user: user, refreshToken: refreshToken, resources: resources)
    }

    private mutating func resource() throws(Fault) -> SharedGrant.Resource {
        let realm = try text()
        let asked = try texts()
        let target = Set(try texts())
        // No value is larger, and sums of sizes must not overflow.
        guard let bytes = Int(exactly: try number()), bytes <= SealedValue.mostBytes else { throw Fault() }
        return SharedGrant.Resource(realm: realm, asked: asked, target: target, bytes: bytes)
    }
}
