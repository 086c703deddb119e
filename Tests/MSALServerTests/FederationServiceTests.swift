// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import TestSupport
import Testing

/// AD FS, which other libraries address as the tenant `adfs`.
struct FederationServiceTests {
    private let transport = ScriptedTransport([])

    private func application(_ authority: MSALServerAuthority) throws -> MSALConfidentialClientApplication {
        try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: "00000000-0000-4000-8000-000000000001",
                authority: authority,
                credential: .secret("s~ecret")
            ),
            environment: .double(transport: transport)
        )
    }

    private var otherTenant: MSALTokenRequest {
        var options = MSALTokenOptions()
        options.tenant = "contoso.example"
        return MSALTokenRequest(scopes: ["api://orders/.default"], options: options)
    }

    @Test(arguments: ["adfs", "ADFS"])
    func `the tenant adfs is requested at the address of AD FS`(tenant: String) async throws {
        transport.append(.json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#))

        _ = try await application(.tenant(tenant, host: "sts.contoso.example"))
            .acquireTokenForClient(scopes: ["api://orders/.default"])

        #expect(transport.messages.map(\.url.absoluteString) == ["https://sts.contoso.example/adfs/oauth2/token"])
    }

    @Test func `a tenant whose name starts with adfs belongs to Microsoft Entra ID`() throws {
        let application = try application(.url("https://login.microsoftonline.com/adfs.contoso.example"))

        #expect(application.authority.kind == .aad)
    }

    @Test func `no call can request another tenant of AD FS`() async throws {
        let environment = ServerEnvironment.double(
            variables: [
                "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "adfs",
                "AZURE_CLIENT_SECRET": "s~ecret", "AZURE_AUTHORITY_HOST": "sts.contoso.example",
                "AZURE_FEDERATED_TOKEN_FILE": "/token", "AZURE_ADDITIONALLY_ALLOWED_TENANTS": "*",
            ],
            transport: transport
        )
        let expected: [(any MSALTokenCredential, MSALTokenError.Kind)] = [
            (try application(.tenant("adfs", host: "sts.contoso.example")), .configuration),
            (try application(.url("https://sts.contoso.example/adfs")), .configuration),
            (MSALEnvironmentCredential(environment: environment), .tenantNotAllowed),
            (MSALWorkloadIdentityCredential(environment: environment), .tenantNotAllowed),
            (MSALFederatedCredential(.kubernetes, environment: environment), .tenantNotAllowed),
        ]

        for (credential, kind) in expected {
            let request = otherTenant
            let error = await #expect(throws: MSALTokenError.self) { try await credential.token(for: request) }
            #expect(error?.kind == kind)
        }
        #expect(transport.messages.isEmpty)
    }
}
