// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The tenants from which a credential may get tokens (docs/reference/Services.md#tenants).
package struct TenantPolicy: Sendable, Hashable {
    /// The tenant that is asked if a call names none. A command line without one takes that of its own sign-in.
    package let configured: String?
    private let additional: Set<String>
    private let isFixed: Bool

    /// The tenants that the program and the variables allow.
    package init(configured: String?, additional: [String], environment: ServerEnvironment) {
        self.configured = configured
        let listed = environment.variable("AZURE_ADDITIONALLY_ALLOWED_TENANTS")?.split(separator: ";") ?? []
        let all = additional + listed.map(String.init)
        self.additional = Set(all.map { $0.filter { !$0.isWhitespace }.lowercased() })
        isFixed = environment.variable("AZURE_IDENTITY_DISABLE_MULTITENANTAUTH") != nil
    }

    /// The tenant to ask if a call names `asked`.
    ///
    /// - Throws: `.tenantNotAllowed`; `.configuration` if the name has letters that no tenant has.
    package func tenant(_ asked: String?) throws(MSALTokenError) -> String? {
        guard let asked, asked.lowercased() != configured?.lowercased() else { return configured }
        guard !isFixed else { return configured }
        try Self.check(asked, of: "The tenant of the call")
        guard configured?.lowercased() != "adfs" else {
            throw MSALTokenError(
                .tenantNotAllowed,
                message: "AD FS has no tenants, so the call cannot ask for the tenant \(asked). Leave the tenant out."
            )
        }
        guard configured != nil, !additional.contains("*"), !additional.contains(asked.lowercased()) else {
            return asked
        }
        throw MSALTokenError(
            .tenantNotAllowed,
            message: "The credential may not get tokens of the tenant \(asked). List it among the additionally allowed "
                + "tenants, in the program or in AZURE_ADDITIONALLY_ALLOWED_TENANTS; \"*\" allows any."
        )
    }

    /// Checks that a name has the letters of a tenant's ID or domain. `place` says where it was found.
    ///
    /// - Throws: `.configuration`, which names the place.
    package static func check(_ tenant: String, of place: String) throws(MSALTokenError) {
        let isName = tenant.utf8.allSatisfy { $0.isASCIILetterOrDigit || ".-".utf8.contains($0) }
        guard !tenant.isEmpty, isName else {
            throw MSALTokenError(
                .configuration,
                message: "\(place) is not a valid tenant. Use the tenant's ID or one of its domains: letters, digits, "
                    + "dots and hyphens."
            )
        }
    }
}
