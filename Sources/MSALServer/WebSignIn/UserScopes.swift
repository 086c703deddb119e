// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The scopes of a user's token (docs/reference/Silent.md#scopes).
enum UserScopes {
    /// - Throws: `.invalidScopes` for scopes that the library adds itself, for the client id as a scope, and for too
    ///   many scopes.
    static func checked(_ scopes: [String], clientID: String, authority: Authority) throws(MSALTokenError) -> ScopeSet {
        func fault(_ text: String) -> MSALTokenError { MSALTokenError(.invalidScopes, message: text) }
        let set = ScopeSet(scopes)
        guard !set.values.contains(where: ScopeSet.openID.values.contains) else {
            throw fault("The library adds openid, profile and offline_access itself. Leave them out.")
        }
        guard authority.kind == .b2c || !set.values.contains(clientID) else {
            throw fault("The client id is not a scope here. Specify the scopes of an API, such as User.Read.")
        }
        guard set.values.count <= ScopeSet.most else { throw fault("There are more than \(ScopeSet.most) scopes.") }
        return set
    }
}
