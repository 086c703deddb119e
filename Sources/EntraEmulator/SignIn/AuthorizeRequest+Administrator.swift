// Licensed under the MIT License. See LICENSE.

/// `GET /{tenant}/adminconsent` and `/{tenant}/v2.0/adminconsent`: an administrator consents for all users (Microsoft
/// identity platform, "Admin consent on the Microsoft identity platform").
extension AuthorizeRequest {
    /// Validates a request for admin consent. Without `scope`, it requests all permissions of Microsoft Graph.
    ///
    /// - Throws: As `init(_:tenantSegment:directory:)`.
    init(administratorConsent exchange: Exchange, tenantSegment: TenantSegment, directory: ServedDirectory) throws {
        let query = exchange.parameters
        let selector = try directory.selector(for: tenantSegment)
        if selector == .consumers { throw EntraError.unknownTenant(tenantSegment.tenant) }
        let client = try directory.client(of: query)
        // An administrator of another tenant may install an application of several organizations only.
        _ = try client.admitted(selector, called: tenantSegment.tenant)
        let redirectURI = try Self.redirectURI(query["redirect_uri"], client: client)
        let target = RedirectTarget(redirectURI: redirectURI, mode: .query, state: query["state"])
        let scopes = try Self.redirecting(to: target) { () throws(EntraError) in
            try RequestedScopes.parse(
                query["scope"] ?? "https://graph.microsoft.com/.default",
                in: directory,
                consenting: client
            )
            .ofSingleAPI(in: query["scope"])
        }
        self.init(
            tenantSegment: tenantSegment,
            selector: selector,
            client: client,
            target: .application(target),
            scopes: scopes,
            pageOptions: PageOptions(prompt: .consent)
        )
        isForEverybody = true
    }
}
