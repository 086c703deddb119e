// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

@testable import MSAL

/// Every type of tenant at every form of its URL: a client gets tokens there, an API accepts them, and its metadata
/// name an issuer that clients accept. Otherwise the URL is rejected, and the message contains the one to use.
struct AuthorityTableTests {
    enum Outcome: Sendable {
        case works
        /// Rejected, with a message that contains this URL.
        case refused(use: String)
    }

    /// A form of a tenant's URL.
    struct Cell: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let address: String
        let kind: TenantService.Kind
        var clients = Outcome.works
        var validator = Outcome.works
        var resource = Outcome.works

        init(
            _ description: String,
            _ address: String,
            _ kind: TenantService.Kind,
            resource: Outcome = .works
        ) {
            testDescription = description
            self.address = address
            self.kind = kind
            self.resource = resource
        }

        /// A URL without a tenant.
        init(_ description: String, _ address: String, _ kind: TenantService.Kind, use other: String) {
            self.init(description, address, kind, resource: .refused(use: other))
            (clients, validator) = (resource, resource)
        }

        var host: String { URL(string: address)?.host() ?? "" }
    }

    private static let id = TenantService.tenant
    private static let metadata = "v2.0/.well-known/openid-configuration"
    private static let entraByID = Outcome.refused(use: "https://login.microsoftonline.com/<tenant ID>")
    private static let externalByID = Outcome.refused(use: "https://contoso.ciamlogin.com/<tenant ID>")
    private static let customByID = Outcome.refused(use: "https://<name>.ciamlogin.com/<tenant ID>")
    private static let policyIssuer = Outcome.refused(use: "/tfp/<tenant ID>/<policy>/v2.0/")

    static let cells = [
        Cell("Entra, id", "https://login.microsoftonline.com/\(id)", .entra),
        Cell("Entra, name", "https://login.microsoftonline.com/contoso.onmicrosoft.com", .entra, resource: entraByID),
        Cell("Entra, domain", "https://login.microsoftonline.com/contoso.example", .entra, resource: entraByID),
        Cell(
            "Entra, host",
            "https://contoso.onmicrosoft.com",
            .entra,
            use: "https://login.microsoftonline.com/contoso.onmicrosoft.com"
        ),
        Cell(
            "Entra, host with the ID",
            "https://contoso.onmicrosoft.com/\(id)",
            .entra,
            use: "https://login.microsoftonline.com/contoso.onmicrosoft.com"
        ),
        Cell(
            "Entra, custom host",
            "https://contoso.example",
            .entra,
            use: "https://login.microsoftonline.com/contoso.example"
        ),

        Cell("External ID, id", "https://contoso.ciamlogin.com/\(id)", .external),
        Cell(
            "External ID, name",
            "https://contoso.ciamlogin.com/contoso.onmicrosoft.com",
            .external,
            resource: externalByID
        ),
        Cell("External ID, host", "https://contoso.ciamlogin.com", .external, resource: externalByID),
        Cell("External ID, issuer", "https://\(id).ciamlogin.com/\(id)/v2.0", .external),
        Cell("External ID, metadata", "https://contoso.ciamlogin.com/\(id)/\(metadata)", .external),
        Cell("External ID, custom domain, id", "https://login.contoso.example/\(id)", .external, resource: customByID),
        Cell(
            "External ID, custom domain, name",
            "https://login.contoso.example/contoso.onmicrosoft.com",
            .external,
            resource: customByID
        ),

        Cell("B2C, id", "https://contoso.b2clogin.com/\(id)/B2C_1_susi", .b2c, resource: policyIssuer),
        Cell(
            "B2C, name",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, tfp",
            "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, metadata in the portal",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/\(metadata)?p=B2C_1_susi",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, metadata of a policy",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/\(metadata)",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, custom domain, id",
            "https://login.shop.example/\(id)/B2C_1_susi",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, custom domain, policy in the query",
            "https://login.shop.example/contoso.onmicrosoft.com?p=B2C_1_susi",
            .b2c,
            resource: policyIssuer
        ),
        Cell(
            "B2C, host",
            "https://contoso.b2clogin.com",
            .b2c,
            use: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/<policy>"
        ),
        Cell(
            "B2C, tenant without a policy",
            "https://contoso.b2clogin.com/\(id)",
            .b2c,
            use: "https://contoso.b2clogin.com/tfp/\(id)/<policy>"
        ),
    ]

    private let service = TenantService()

    private var environment: ServerEnvironment {
        ServerEnvironment(
            variables: [:],
            time: SystemTime(),
            files: SystemFiles(),
            transport: service,
            metadataTransport: service,
            memory: ProcessMemory()
        )
    }

    private func settings(_ authority: MSALServerAuthority) -> MSALTokenValidatorConfiguration {
        MSALTokenValidatorConfiguration(clientId: TenantService.client, authority: authority)
    }

    private func validator(_ settings: MSALTokenValidatorConfiguration...) throws(MSALTokenError) -> MSALTokenValidator
    {
        try MSALTokenValidator(settings) { _ in environment }
    }

    private func application(
        _ authority: MSALServerAuthority
    ) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: TenantService.client,
            authority: authority,
            credential: .secret("s~ecret")
        )
        configuration.redirectUri = "https://app.contoso.example/signin"
        return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
    }

    /// Runs a supported case, or expects the rejection.
    private func expect(_ outcome: Outcome, _ body: () async throws -> Void) async throws {
        switch outcome {
        case .works: try await body()
        case .refused(let address):
            do {
                try await body()
                Issue.record("It is not refused.")
            } catch let error as MSALTokenError {
                #expect(error.kind == .configuration)
                #expect(error.message.contains(address), "\(error.message)")
            } catch let error as NSError {
                #expect(error.domain == MSALErrorDomain)
                #expect([-42000, -42008].contains(error.userInfo[MSALInternalErrorCodeKey] as? Int))
                #expect((error.userInfo[MSALErrorDescriptionKey] as? String)?.contains(address) == true, "\(error)")
            }
        }
    }

    // MARK: - The table

    @Test(arguments: cells)
    func `a confidential client gets its own token and a user's`(cell: Cell) async throws {
        try await expect(cell.clients) {
            let application = try application(.url(cell.address))
            let own = try await application.acquireTokenForClient(scopes: ["api://orders/.default"])
            let request = try await application.authorizationRequest(MSALWebSignInParameters(scopes: ["Orders.Read"]))
            var form = FormBody()
            form.set("code", to: service.code(nonce: request.secrets.nonce.exposed))
            form.set("state", to: request.secrets.state.exposed)
            let response = try MSALWebSignInResponse(formBody: form.data)
            let user = try await application.acquireToken(response, for: request)

            #expect(!own.accessToken.isEmpty)
            #expect(user.homeAccountIdentifier?.hasSuffix(TenantService.tenant) == true)
        }
    }

    @Test(arguments: cells)
    func `a public client signs a user in`(cell: Cell) async throws {
        try await expect(cell.clients) {
            let url = try #require(URL(string: cell.address))
            let authority: MSALAuthority =
                switch cell.kind {
                case .entra: try MSALAADAuthority(url: url)
                case .external: try MSALCIAMAuthority(url: url)
                case .b2c: try MSALB2CAuthority(url: url)
                }
            let result = try await signIn(at: authority, knowing: cell.kind == .b2c ? [authority] : [])

            #expect(result.account.identifier?.hasSuffix(TenantService.tenant) == true)
            #expect(result.isIDTokenSignatureVerified)
        }
    }

    @Test(arguments: cells)
    func `an API accepts the tenant's tokens`(cell: Cell) async throws {
        try await expect(cell.validator) {
            let prepared = try validator(settings(.url(cell.address)))
            try await prepared.prepare()
            for validator in [prepared, try validator(settings(.url(cell.address)))] {
                let caller = try await caller(of: cell, at: validator)
                #expect(caller.client == TenantService.client)
            }
        }
    }

    @Test(arguments: cells)
    func `the metadata of an API name an issuer whose own metadata name it`(cell: Cell) async throws {
        try await expect(cell.resource) {
            let resource = try MSALProtectedResource(
                resource: try #require(URL(string: "https://api.contoso.example")),
                configuration: settings(.url(cell.address)),
                scopes: ["Orders.Read"]
            )
            #expect(!resource.authorizationServers.isEmpty)
            for issuer in resource.authorizationServers {
                let url = issuer.appending(path: ".well-known/openid-configuration")
                let document = try await service.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
                let found = try OpenIDConfiguration(parsing: document.body).issuer
                #expect(found == issuer.absoluteString)
            }
        }
    }

    // MARK: - Other cases

    @Test func `a public client that names a B2C policy only by its URL gets the form to use`() async throws {
        let url = try #require(URL(string: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"))
        try await expect(.refused(use: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/<policy>")) {
            _ = try await signIn(at: try MSALAuthority(url: url), knowing: [])
        }
    }

    @Test(arguments: [("contoso.b2clogin.com", "/tfp/"), ("contoso.ciamlogin.com", "https://contoso.ciamlogin.com/")])
    func `a tenant at a customers' host is rejected`(host: String, address: String) async throws {
        try await expect(.refused(use: address + TenantService.tenant)) {
            _ = try application(.tenant(TenantService.tenant, host: host))
        }
    }

    @Test func `tokens of several tenants configured by name are accepted from the first one on`() async throws {
        let named = Self.cells.filter {
            ["Entra, name", "External ID, name", "B2C, name"].contains($0.testDescription)
        }
        let validator = try MSALTokenValidator(named.map { settings(.url($0.address)) }) { _ in environment }
        for cell in named.reversed() {
            let caller = try await caller(of: cell, at: validator)
            #expect(caller.client == TenantService.client)
        }
    }

    @Test func `an authority of a tenant that the settings do not allow is rejected by prepare`() async throws {
        var settings = settings(.url("https://contoso.ciamlogin.com"))
        settings.tenants = .list(["11111111-1111-4111-8111-111111111111"])
        try await expect(.refused(use: "https://\(TenantService.tenant).ciamlogin.com/")) { [settings] in
            try await validator(settings).prepare()
        }
    }

    @Test func `a tenant that does not exist is rejected by prepare`() async throws {
        try await expect(.refused(use: "AADSTS90002")) {
            try await validator(settings(.url("https://contoso.ciamlogin.com/nobody.onmicrosoft.com"))).prepare()
        }
    }

    @Test func `the metadata of an API for several tenants name each of them`() throws {
        var settings = settings(.organizations)
        settings.tenants = .list(["22222222-2222-4222-8222-222222222222", TenantService.tenant.uppercased()])
        let resource = try MSALProtectedResource(
            resource: try #require(URL(string: "https://api.contoso.example")),
            configuration: settings,
            scopes: []
        )
        #expect(
            resource.authorizationServers.map(\.absoluteString) == [
                "https://login.microsoftonline.com/22222222-2222-4222-8222-222222222222/v2.0",
                "https://login.microsoftonline.com/\(TenantService.tenant)/v2.0",
            ]
        )
    }

    private func caller(of cell: Cell, at validator: MSALTokenValidator) async throws -> MSALPrincipal {
        let token = try service.accessToken(cell.kind, at: cell.host)
        return try await validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
    }

    private func signIn(at authority: MSALAuthority, knowing known: [MSALAuthority]) async throws -> MSALResult {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: TenantService.client,
            redirectUri: nil,
            authority: authority
        )
        configuration.knownAuthorities = known
        let agent = StubAgent { [service] visit, url in
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let nonce = items.first { $0.name == "nonce" }?.value ?? ""
            return ["code": service.code(nonce: nonce), "state": visit.expectedState]
        }
        let application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: Platform(transport: service, agent: agent, time: SystemTime()),
            store: MemoryStore(),
            session: CurrentSession()
        )
        let webview = MSALWebviewParameters()
        let parameters = MSALInteractiveTokenParameters(scopes: ["Orders.Read"], webviewParameters: webview)
        return try await application.acquireToken(with: parameters)
    }
}
