// Licensed under the MIT License. See LICENSE.

#if Configuration
    public import Configuration
    import Foundation

    extension MSALTokenValidatorConfiguration {
        /// Creates settings from the service's own configuration, read with swift-configuration. Requires the package
        /// trait `Configuration`.
        ///
        /// The keys, under `msal`: `tenant_id`, `client_id`, `authority_host`, `authority` (a URL, instead of
        /// `tenant_id` and `authority_host`), and under `msal.api`: `tenants` (ids, or `any`), `audiences`, `clients`,
        /// `clock_skew` (seconds), `allows_tokens_without_permissions`, `application_id_uri`, `resource_metadata`.
        ///
        /// - Throws: `.configuration` if a key is missing or malformed. The message names it.
        public init(config: ConfigReader) throws(MSALTokenError) {
            let settings = SettingsReader(config)
            let api = SettingsReader(config, beneath: "msal.api")
            let authority: MSALServerAuthority
            if let address = settings.text("authority") {
                authority = .url(address)
            } else {
                let tenant = try settings.required("tenant_id")
                try TenantPolicy.check(tenant, of: "The setting msal.tenant_id")
                authority = .tenant(tenant, host: settings.text("authority_host") ?? AuthorityHost.usual)
            }
            self.init(clientId: try settings.required("client_id"), authority: authority)
            let tenants = api.list("tenants")
            if tenants == ["any"] {
                self.tenants = .any
            } else if !tenants.isEmpty {
                self.tenants = .list(Set(tenants))
            }
            audiences = Set(api.list("audiences"))
            let clients = api.list("clients")
            if !clients.isEmpty { self.clients = Set(clients) }
            if let seconds = try api.number("clock_skew") { clockSkew = .seconds(seconds) }
            allowsTokensWithoutPermissions = try api.flag("allows_tokens_without_permissions") ?? false
            applicationIdUri = api.text("application_id_uri")
            if let text = api.text("resource_metadata") {
                guard let url = URL(string: text) else { throw api.fault("resource_metadata", because: "is not a URL") }
                resourceMetadata = url
            }
        }
    }
#endif
