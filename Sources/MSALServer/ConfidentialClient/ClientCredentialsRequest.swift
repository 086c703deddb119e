// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore

/// The checks of a request for an application's own token, before any traffic
/// (docs/reference/Services.md#client-credentials).
package enum ClientCredentialsRequest {
    /// The one scope, or for an OpenID Connect issuer all scopes with spaces between them.
    ///
    /// - Throws: `.invalidScopes` for another authority unless there is exactly one, and it ends in `/.default`.
    package static func scope(of scopes: [String], for authority: Authority) throws(MSALTokenError) -> String {
        if authority.kind == .oidc { return scopes.joined(separator: " ") }
        guard let scope = scopes.first else { throw fault("No scope was given.") }
        guard scopes.count == 1 else { throw fault("All scopes of a request must belong to one resource.") }
        // Every call runs this, so it compares bytes, and with a string that is not reference-counted.
        var text = scope
        let isDefault = text.withUTF8 { bytes in
            ending.withUTF8Buffer { ending in
                bytes.count > ending.count
                    && bytes.suffix(ending.count).elementsEqual(ending) { $0 | 0x20 == $1 | 0x20 }
            }
        }
        guard isDefault else { throw fault("The scope \(scope) does not end in /.default.") }
        return scope
    }

    private static var ending: StaticString { "/.default" }

    private static func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(
            .invalidScopes,
            message: "\(text) An application requests <resource>/.default, for instance "
                + "https://graph.microsoft.com/.default."
        )
    }

    /// The tenant of an authority, if it names one.
    package static func tenant(of authority: Authority) -> String? {
        authority.tenantKind == .identifier ? authority.realm ?? "" : nil
    }

    /// The tenant of the request: the call's, or else the authority's.
    ///
    /// - Throws: `.tenantRequired` if neither names one tenant.
    package static func tenant(
        _ asked: String?,
        orElse own: String?,
        of authority: Authority
    ) throws(MSALTokenError) -> String {
        guard let asked else {
            guard let own else { throw tenantRequired(authority.tenant ?? "") }
            return own
        }
        // Any call may run this, so only strings of these lengths are compared.
        switch asked.utf8.count {
        case 0, 6, 9, 13: break
        default: return asked
        }
        switch asked.lowercased() {
        case "common", "organizations", "consumers", "": throw tenantRequired(asked)
        default: return asked
        }
    }

    /// The authority of the requested tenant.
    ///
    /// - Throws: `.configuration` if the tenant cannot be a part of the authority's address, or if the authority has no
    ///   tenants. The request would otherwise go to another tenant.
    package static func authority(_ authority: Authority, asking asked: String?) throws(MSALTokenError) -> Authority {
        guard let asked, asked != authority.realm ?? "" else { return authority }
        let other = authority.replacingTenant(asked)
        guard isName(asked), other.tenant?.lowercased() == asked.lowercased() else {
            throw MSALTokenError(
                .configuration,
                message: "\(authority.url) does not support the tenant \"\(asked)\". Use a tenant's ID or domain, "
                    + "and an authority of Microsoft Entra ID."
            )
        }
        return other
    }

    /// Whether a text can be a tenant's ID or domain.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }
    }

    private static func tenantRequired(_ name: String) -> MSALTokenError {
        MSALTokenError(
            .tenantRequired,
            message: "An application's own token belongs to one tenant, and \"\(name)\" does not name one. Put the "
                + "tenant's ID or domain in the authority or in the options."
        )
    }
}
