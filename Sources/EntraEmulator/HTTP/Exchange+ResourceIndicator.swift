// Licensed under the MIT License. See LICENSE.

/// The parameter `resource` of RFC 8707, which clients of the Model Context Protocol send.
extension Exchange {
    /// Rejects a `resource` that names a different API than the scopes do. Version 2.0 determines the API only by the
    /// scopes, and since March 2026 the service rejects a contradictory request.
    ///
    /// - Throws: AADSTS9010010.
    func checkResource(fits scopes: RequestedScopes, in directory: ServedDirectory) throws(EntraError) {
        // OpenID Connect scopes do not belong to any API.
        if !scopes.permissions.isEmpty { try checkResource(isThatOf: scopes.audience, in: directory) }
    }

    /// Rejects a `resource` that names a different API than an app-only token request does.
    func checkResource(isThatOf audience: String, in directory: ServedDirectory) throws(EntraError) {
        guard !isVersion1, let resource = parameters["resource"] else { return }
        guard directory.api(identifier: resource)?.audience == audience else { throw .otherResource }
    }
}
