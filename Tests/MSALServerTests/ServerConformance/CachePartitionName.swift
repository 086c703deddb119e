// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer

/// The cache keys that the other Microsoft libraries use for the tokens of one client or user, in caches that programs share
/// (docs/reference/Services.md#partitions).
enum CachePartitionName {
    /// The tokens of an application in a tenant. `components` is the hash of what it adds to its requests.
    static func application(
        clientID: String,
        tenant: String,
        keyID: String? = nil,
        components: String? = nil
    ) -> String {
        let extra = components.map { "_\($0)" } ?? ""
        return "\(keyID ?? "")\(clientID)_\(tenant.lowercased())\(extra)_AppTokenCache"
    }

    /// The tokens of a managed identity: one that a user assigned, by its id, or the machine's own.
    static func managedIdentity(_ id: String?) -> String {
        application(clientID: id ?? "system_assigned_managed_identity", tenant: "managed_identity")
    }

    /// The tokens of a user of a web application.
    static func user(_ homeAccountID: String) -> String { homeAccountID }

    /// The partition of the tokens that an API got for one incoming token, or in a session that goes on without it.
    static func onBehalfOf(_ assertion: Secret, sessionKey: String? = nil) -> String {
        sessionKey ?? TokenDigest(of: assertion).text
    }
}
