// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import Synchronization
import TestSupport
import Testing

/// An authorization adapter on a port of this machine, whose service, clock, and documents belong to the test.
struct AdapterBench {
    static let tenant = "11111111-1111-4111-8111-111111111111"
    static let clientID = "99999999-0000-4000-8000-0000000000c1"
    static let address = "https://tools.contoso.example/mcp"
    static let issuer = "https://tools.contoso.example"
    static let scope = "api://tools/Notes.Read"
    static let redirect = "https://client.example/callback"
    static let loopback = "http://localhost/callback"
    static let client = "https://client.example/metadata.json"
    static let verifier = String(repeating: "v", count: 43)

    let service = ServiceDouble()
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_790_000_000))
    let documents = DocumentShelf()
    let adapter: MSALAuthorizationAdapter

    /// An adapter at an address, with the secret of a sealing key, if it is not empty.
    init(
        address: String = Self.address,
        key: [UInt8] = [UInt8](1...32),
        _ change: (inout MSALAuthorizationAdapterConfiguration) -> Void = { _ in }
    ) throws {
        let authority = MSALServerAuthority.tenant(Self.tenant)
        var environment = ServerEnvironment.double(time: time, transport: service)
        let counter = Mutex(UInt8(0))
        environment.random = { count in
            let number = counter.withLock { value in
                value &+= 1
                return value
            }
            return [number] + [UInt8](repeating: 7, count: count - 1)
        }
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: Self.clientID,
                authority: authority,
                credential: .secret("a secret")
            ),
            environment: environment
        )
        var resource = try MSALProtectedResource(
            resource: try #require(URL(string: address)),
            configuration: MSALTokenValidatorConfiguration(clientId: "tools", authority: authority),
            scopes: ["Notes.Read", "Notes.Write"]
        )
        resource.name = "Notes"
        var configuration = MSALAuthorizationAdapterConfiguration(redirectUris: [Self.redirect, Self.loopback])
        if !key.isEmpty { configuration.sealingKeys = [try MSALSealingKey(id: 1, secret: key)] }
        configuration.fetchDocument = { [documents] url in try documents.document(at: url) }
        change(&configuration)
        adapter = try MSALAuthorizationAdapter(application, protecting: resource, configuration: configuration)
    }

    /// Runs a test against the port of the adapter.
    func run(_ body: (AdapterBrowser) async throws -> Void) async throws {
        let router = Router(context: MSALAPIContext.self)
        router.serve(adapter)
        try await LocalServer.run(router) { port in try await body(AdapterBrowser(client: APIClient(port: port))) }
    }

    /// The parameters of a client's authorization request.
    static func request(_ changes: [String: String?] = [:]) -> [String: String] {
        let challenge = PKCE(verifier: Secret(verifier)).challenge
        let usual: [String: String?] = [
            "response_type": "code", "client_id": client, "redirect_uri": redirect, "state": "s1", "scope": scope,
            "code_challenge": challenge, "code_challenge_method": "S256", "resource": address,
        ]
        return usual.merging(changes) { $1 }.compactMapValues(\.self)
    }

    /// The form with which a client redeems a code.
    static func redemption(_ code: String, _ changes: [String: String?] = [:]) -> [String: String] {
        let usual: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "client_id": client, "redirect_uri": redirect,
            "code_verifier": verifier, "resource": address,
        ]
        return usual.merging(changes) { $1 }.compactMapValues(\.self)
    }
}
