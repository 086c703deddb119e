// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The checks of a request for an application's own token, before any traffic
/// (docs/reference/Services.md#client-credentials).
package enum ClientCredentialsRequest {
    /// The one scope.
    ///
    /// - Throws: `.invalidScopes` unless there is exactly one, and it ends in `/.default`.
    package static func scope(of scopes: [String]) throws(MSALTokenError) -> String {
        guard let scope = scopes.first, scopes.count == 1, scope.utf8.count > Self.ending.count else {
            throw fault(scopes.isEmpty ? "No scope was given." : "Scopes of one resource are asked for at a time.")
        }
        // Each call comes here, so only bytes are compared.
        let isDefault = zip(scope.utf8.suffix(Self.ending.count), Self.ending).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        guard isDefault else { throw fault("The scope \(scope) does not end in /.default.") }
        return scope
    }

    private static let ending = Array("/.default".utf8)

    private static func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(
            .invalidScopes,
            message: "\(text) An application asks for <resource>/.default, for instance "
                + "https://graph.microsoft.com/.default."
        )
    }

    /// The tenant that is asked.
    ///
    /// - Throws: `.tenantRequired` if it names many.
    package static func tenant(_ asked: String?, of authority: Authority) throws(MSALTokenError) -> String {
        guard let asked else {
            guard authority.tenantKind == .identifier else { throw tenantRequired(authority.tenant ?? "") }
            return authority.realm ?? ""
        }
        switch asked.lowercased() {
        case "common", "organizations", "consumers", "": throw tenantRequired(asked)
        default: return asked
        }
    }

    private static func tenantRequired(_ name: String) -> MSALTokenError {
        MSALTokenError(
            .tenantRequired,
            message: "An application's own token belongs to one tenant, and \"\(name)\" names none or many. Give the "
                + "tenant's id or domain in the authority or in the options."
        )
    }
}
