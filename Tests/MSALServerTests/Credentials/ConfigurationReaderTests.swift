// Licensed under the MIT License. See LICENSE.

#if Configuration
    import Configuration
    import Foundation
    import MSALCore
    import MSALServer
    import Testing

    struct ConfigurationReaderTests {
        private func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
            ConfigReader(provider: InMemoryProvider(values: values))
        }

        private let application: [AbsoluteConfigKey: ConfigValue] = [
            "msal.tenant_id": "contoso.example", "msal.client_id": "c1",
        ]

        @Test func `a service reads its application from its own configuration`() throws {
            let values = application.merging([
                "msal.client_secret": "s", "msal.authority_host": "login.microsoftonline.us",
                "msal.capabilities": "cp1, cp2", "msal.region": "westus2", "msal.send_certificate_chain": true,
            ]) { $1 }

            let configuration = try MSALConfidentialClientConfiguration(config: reader(values))

            #expect(configuration.clientId == "c1")
            #expect(
                try configuration.authority.authority().url.absoluteString.hasSuffix(
                    "login.microsoftonline.us/contoso.example"
                )
            )
            #expect(configuration.capabilities == ["cp1", "cp2"])
            #expect(configuration.region == .named("westus2"))
            #expect(configuration.sendsCertificateChain)
            #expect(configuration.credential.name == "secret")
        }

        @Test func `environment variables can be used, too`() throws {
            let provider = EnvironmentVariablesProvider(
                environmentVariables: ["MSAL_TENANT_ID": "t", "MSAL_CLIENT_ID": "c1", "MSAL_CLIENT_SECRET": "s"]
            )

            let configuration = try MSALConfidentialClientConfiguration(config: ConfigReader(provider: provider))

            #expect(configuration.clientId == "c1")
        }

        @Test func `two credentials are rejected`() async throws {
            let values = application.merging(["msal.client_secret": "s", "msal.client_certificate_path": "/c.pem"]) {
                $1
            }

            let error = try await failure { () async throws(MSALTokenError) in
                try MSALConfidentialClientConfiguration(config: reader(values))
            }

            #expect(error.kind == .invalidCredential)
            #expect(error.message.contains("client_certificate_path"))
        }

        @Test func `a missing or malformed setting is named`() async throws {
            let missing = try await failure { () async throws(MSALTokenError) in
                try MSALConfidentialClientConfiguration(config: reader(["msal.tenant_id": "t"]))
            }
            let malformed = try await failure { () async throws(MSALTokenError) in
                let values = application.merging(["msal.client_secret": "s", "msal.cache.max_bytes": "much"]) { $1 }
                return try MSALConfidentialClientConfiguration(config: reader(values))
            }

            #expect(missing.message.contains("msal.client_id"))
            #expect(malformed.message.contains("msal.cache.max_bytes"))
        }

        @Test func `a managed identity is identified by one id`() async throws {
            let identity = try MSALManagedIdentityId(config: reader(["msal.managed_identity.object_id": "o"]))
            let error = try await failure { () async throws(MSALTokenError) in
                try MSALManagedIdentityId(
                    config: reader(["msal.managed_identity.object_id": "o", "msal.managed_identity.client_id": "c"])
                )
            }

            #expect(identity == .objectId("o"))
            #expect(error.kind == .configuration)
        }
    }
#endif
