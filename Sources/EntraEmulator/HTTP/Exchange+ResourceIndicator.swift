// Licensed under the MIT License. See LICENSE.

/// The parameter `resource` of RFC 8707, which clients of the Model Context Protocol send.
extension Exchange {
    /// Refuses a `resource` that names another API than the scopes do. Version 2.0 takes the API from the scopes alone, and
    /// since March 2026 the service refuses a request that contradicts itself.
    ///
    /// - Throws: AADSTS9010010.
    func checkResource(fits scopes: RequestedScopes, in directory: ServedDirectory) throws(EntraError) {
        // Scopes of OpenID Connect alone belong to no API.
        if !scopes.permissions.isEmpty { try checkResource(isThatOf: scopes.audience, in: directory) }
    }

    /// Refuses a `resource` that names another API than an application's own request does.
    func checkResource(isThatOf audience: String, in directory: ServedDirectory) throws(EntraError) {
        guard !isVersion1, let resource = parameters["resource"] else { return }
        guard directory.api(identifier: resource)?.audience == audience else { throw .otherResource }
    }
}
