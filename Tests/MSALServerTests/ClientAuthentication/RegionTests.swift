// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct RegionTests {
    private let graph = "https://graph.microsoft.com/.default"
    private let token = #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#

    private func application(
        _ region: MSALRegion,
        tenant: String = "73ab4876-7734-47c1-87fd-e805ec99108d",
        host: String = "login.microsoftonline.com",
        transport: ScriptedTransport,
        cache: MSALTokenCache = MSALTokenCache()
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant(tenant, host: host),
            credential: .secret("s~ecret")
        )
        configuration.region = region
        configuration.cache = cache
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(transport: transport)
        )
    }

    @Test func `a token is requested at the host of the region`() async throws {
        let transport = ScriptedTransport(.json(token))

        _ = try await application(.named("WestUS2"), transport: transport).acquireTokenForClient(scopes: [graph])

        #expect(transport.messages.map { $0.url.host() } == ["westus2.login.microsoft.com"])
    }

    @Test(arguments: [("contoso.example", "login.contoso.example"), ("adfs", "sts.contoso.example")])
    func `a custom domain and a host of AD FS have no regions`(tenant: String, host: String) async throws {
        let transport = ScriptedTransport(.json(token))

        _ = try await application(.named("westus2"), tenant: tenant, host: host, transport: transport)
            .acquireTokenForClient(scopes: [graph])

        #expect(transport.messages.map { $0.url.host() } == [host])
    }

    @Test func `a token of the region is used by an application with the cloud's own host`() async throws {
        let cache = MSALTokenCache()
        let transport = ScriptedTransport(.json(token))
        _ = try await application(.named("westus2"), transport: transport, cache: cache)
            .acquireTokenForClient(scopes: [graph])

        let result = try await application(
            .none,
            host: "login.windows.net",
            transport: ScriptedTransport(),
            cache: cache
        ).acquireTokenForClient(scopes: [graph])

        #expect(result.source == .cache)
    }

    @Test(arguments: [TransportError.Kind.cannotFindHost, .cannotConnect, .timedOut])
    func `the cloud's own host is called once if the region cannot be reached`(
        _ kind: TransportError.Kind
    ) async throws {
        let transport = ScriptedTransport(
            .failure(kind, to: "westus2.login.microsoft.com"),
            .failure(kind, to: "westus2.login.microsoft.com"),
            .json(token, to: "login.microsoftonline.com")
        )

        let result = try await application(.named("westus2"), transport: transport)
            .acquireTokenForClient(scopes: [graph])

        #expect(result.accessToken == "a1")
        try transport.verify()
    }

    @Test func `the cloud's own host is not called after the region received the request`() async throws {
        let transport = ScriptedTransport(
            .failure(.connectionLost, hasSentBody: true),
            .failure(.connectionLost, hasSentBody: true)
        )

        let application = try application(.named("westus2"), transport: transport)
        let error = try await failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph])
        }

        #expect(error.kind == .network)
        #expect(transport.messages.map { $0.url.host() } == Array(repeating: "westus2.login.microsoft.com", count: 2))
    }

    @Test(arguments: ["westus2.evil.example", "west-us", "west/us", "", "wéstus", String(repeating: "a", count: 64)])
    func `an invalid region name never becomes part of a host`(_ text: String) async throws {
        let transport = ScriptedTransport(.json(token))

        _ = try await application(.named(text), transport: transport).acquireTokenForClient(scopes: [graph])

        #expect(transport.messages.map { $0.url.host() } == ["login.microsoftonline.com"])
    }

    @Test(arguments: [
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_in", "contoso.b2clogin.com"),
        ("https://contoso.ciamlogin.com", "contoso.ciamlogin.com"),
        ("https://fs.contoso.example/adfs", "fs.contoso.example"),
    ])
    func `authorities without regions keep their host`(_ address: String, _ host: String) throws {
        let authority = try MSALServerAuthority.url(address).authority()

        let endpoint = try TokenEndpointAddress(of: authority, region: RegionName("westus2"), flow: .clientCredentials)

        #expect(endpoint.url.host() == host)
    }

    @Test func `a retired version of the metadata service is replaced with its newest`() async throws {
        let transport = ScriptedTransport(
            .json(#"{"error":"Bad request","newest-versions":["2023-07-01","2024-01-31","../x"]}"#, status: 400),
            .json(#"{"location":"West Europe"}"#, to: "api-version=2024-01-31")
        )
        let discovery = RegionDiscovery(environment: .double(metadataTransport: transport))

        #expect(try await discovery.region(for: .autoDetect) == RegionName("westeurope"))
        try transport.verify()
    }

    @Test func `the variable of the machine makes the request unnecessary`() async throws {
        let discovery = RegionDiscovery(environment: .double(variables: ["REGION_NAME": "West US 2"]))

        #expect(try await discovery.region(for: .autoDetect)?.description == "westus2")
    }
}
