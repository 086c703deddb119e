// Licensed under the MIT License. See LICENSE.

#if Configuration
    public import Configuration
    import Foundation

    extension MSALConfidentialClientConfiguration {
        /// Creates settings from the service's own configuration, read with swift-configuration. Requires the package
        /// trait `Configuration`.
        ///
        /// The keys, under `msal`: `tenant_id`, `client_id`, `authority_host`, `client_secret` (a secret),
        /// `client_certificate_path`, `client_certificate_password` (a secret), `send_certificate_chain`, `region`,
        /// `capabilities`, `cache.max_bytes`. The corresponding environment variables are named like `MSAL_TENANT_ID`.
        ///
        /// - Throws: `.configuration` if a key is missing or malformed (the message names it); `.invalidCredential` if
        ///   there is no credential, or more than one.
        public init(config: ConfigReader) throws(MSALTokenError) {
            let settings = SettingsReader(config)
            let tenant = try settings.required("tenant_id")
            try TenantPolicy.check(tenant, of: "The setting msal.tenant_id")
            let host = settings.text("authority_host") ?? AuthorityHost.usual
            guard let authority = AuthorityHost.address(host)?.appending(path: tenant) else {
                throw settings.fault("authority_host", because: "is neither a host nor an https address")
            }
            try self.init(
                clientId: settings.required("client_id"),
                authority: .url(authority),
                credential: .only(
                    secret: settings.text("client_secret", isSecret: true),
                    certificatePath: settings.text("client_certificate_path"),
                    certificatePassword: settings.text("client_certificate_password", isSecret: true)
                )
            )
            sendsCertificateChain = try settings.flag("send_certificate_chain") ?? false
            if let word = settings.text("region") { region = MSALRegion(word: word) }
            capabilities = settings.list("capabilities")
            if let bytes = try settings.number("cache.max_bytes") { cache = MSALTokenCache(maximumBytes: bytes) }
        }
    }

    extension MSALManagedIdentityId {
        /// Reads the managed identity from the service's own configuration. Requires the package trait `Configuration`.
        ///
        /// The keys, under `msal.managed_identity`: `client_id`, `object_id`, or `resource_id`. Without any of these,
        /// it is the system-assigned identity.
        ///
        /// - Throws: `.configuration` if more than one of these keys is set: leave one.
        public init(config: ConfigReader) throws(MSALTokenError) {
            let settings = SettingsReader(config, beneath: "msal.managed_identity")
            let ids = [
                settings.text("client_id").map(Self.clientId), settings.text("object_id").map(Self.objectId),
                settings.text("resource_id").map(Self.resourceId),
            ].compactMap(\.self)
            guard ids.count <= 1 else {
                throw MSALTokenError(
                    .configuration,
                    message: "The settings name \(ids.count) managed identities. Leave one of client_id, object_id and "
                        + "resource_id beneath msal.managed_identity."
                )
            }
            self = ids.first ?? .systemAssigned
        }
    }
#endif
