// Licensed under the MIT License. See LICENSE.

/// What tells the tokens of a cache apart. One dictionary look-up with it finds a token.
package struct AppTokenKey: Sendable, Hashable {
    /// Stands for the client and its cloud.
    package let partition: AppTokenCache.Partition
    /// The tenant as it was given.
    package let realm: String
    /// The scope as it was given.
    package let target: String
    /// The thumbprint to which the token is bound; `nil` for bearer tokens.
    package var keyID: String?
    /// The hash of what the application adds to its requests; `nil` if it adds nothing.
    package var components: String?

    package init(
        partition: AppTokenCache.Partition,
        realm: String,
        target: String,
        keyID: String? = nil,
        components: String? = nil
    ) {
        self.partition = partition
        self.realm = realm
        self.target = target
        self.keyID = keyID
        self.components = components
    }
}
