// Licensed under the MIT License. See LICENSE.

/// The tokens of one application itself, in the store that instances share.
struct SharedApplicationTokens: Sendable {
    /// The name of a token among those of the application.
    struct Name: Sendable {
        let realm: String
        let target: String
        /// The certificate to which the token is bound, and what the application adds to its requests.
        let qualifier: String

        fileprivate var entry: [String] { ["token", realm, target, qualifier] }
    }

    let store: SharedStore
    let environment: String
    let clientID: String

    private func owner(of name: Name) -> SharedOwner {
        SharedOwner(kind: .application, environment: environment, clientID: clientID, id: name.realm)
    }

    /// The token that another instance got; `nil` if there is none, or if the store does not respond.
    func token(for name: Name, at now: Int64) async -> CachedAccessToken? {
        // Each instance can get its own token, so an unresponsive store is not an error here. The store reports that
        // itself.
        guard let value = try? await store.read([name.entry], of: owner(of: name))[0], let plain = value.plain else {
            return nil
        }
        return SharedToken.token(plain, named: name.entry, remaining: value.expiresIn, of: nil, at: now)
    }

    /// Shares a token with the other instances.
    func keep(_ token: CachedAccessToken, for name: Name, at now: Int64) async {
        let owner = owner(of: name)
        _ = try? await store.write(
            SharedToken.bytes(of: token, named: name.entry, at: now),
            to: owner.name(of: name.entry, under: store.configuration.keys[0]),
            of: owner,
            expiresIn: .seconds(token.expiresAt - now),
            if: .always
        )
    }
}
