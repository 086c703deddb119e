// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALCore
import MSALServer
import SealedStore
import Testing

@testable import MSAL

/// `msal` in a network like a company's: with a proxy and a private certificate authority
/// (docs/reference/Protocol.md#trust).
///
/// The service has a name that no DNS knows, so that only the proxy can reach it. Loopback addresses never use one.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ProxyTests {
    private static let host = "login.contoso.test"

    @Test(arguments: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
    func `a sign-in uses the proxy that a variable names`(_ variable: String) async throws {
        try await Self.withEmulator { emulator in
            let proxy = try TunnelProxy(to: try #require(emulator.baseURL.port))

            let outcome = try await Self.signIn(emulator, environment: [variable: proxy.address])

            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == "password@fabrikam.example\n")
            #expect(Set(proxy.targets) == ["\(Self.host):\(try #require(emulator.baseURL.port))"])
        }
    }

    @Test func `the proxy's name and password are sent to it only`() async throws {
        try await Self.withEmulator { emulator in
            let proxy = try TunnelProxy(to: try #require(emulator.baseURL.port), expecting: "me:p@ss")
            let address = proxy.address.replacing("http://", with: "http://me:p%40ss@")

            let good = try await Self.signIn(emulator, environment: ["HTTPS_PROXY": address])
            let bad = try await Self.signIn(emulator, environment: ["HTTPS_PROXY": proxy.address])

            #expect(good.status == 0, "\(good.errors)")
            #expect(bad.status == 5)
            #expect(bad.errors.contains("HTTPS_PROXY"))
            #expect(!bad.errors.contains("p@ss"))
        }
    }

    @Test func `an app and a service use the proxy of their configuration`() async throws {
        try await Self.withEmulator { emulator in
            let port = try #require(emulator.baseURL.port)
            let proxy = try TunnelProxy(to: port, expecting: "me:p@ss")
            let address = try #require(URL(string: proxy.address))
            let authority = try #require(URL(string: "https://\(Self.host):\(port)/contoso.example"))
            let configuration = MSALPublicClientApplicationConfig(
                clientId: emulator.seed.clientID,
                redirectUri: nil,
                authority: try MSALAADAuthority(url: authority)
            )
            configuration.caFile = emulator.certificateAuthorityFile
            configuration.instanceDiscoveryEnabled = false
            configuration.proxy = try MSALProxy(url: address, user: "me", password: "p@ss")
            let application = try MSALPublicClientApplication(
                configuration: configuration,
                platform: SystemMachine(for: configuration, environment: [:]).platform,
                store: MemoryStore(),
                session: CurrentSession()
            )
            let parameters = MSALDeviceCodeTokenParameters(scopes: ["User.Read"])
            var states = application.deviceCodeStates(with: parameters).makeAsyncIterator()

            #expect(try await states.next()?.code != nil)
            #expect(Set(proxy.targets) == ["\(Self.host):\(port)"])

            let tunnels = proxy.targets.count
            var service = MSALConfidentialClientConfiguration(
                clientId: "00000000-0000-4000-8000-000000000010",
                authority: .url(authority),
                credential: .secret("Emulator-secret-1")
            )
            service.caFile = emulator.certificateAuthorityFile
            service.proxy = try MSALServerProxy(url: address, user: "me", password: "p@ss")
            let client = try MSALConfidentialClientApplication(configuration: service)

            _ = try await client.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
            #expect(proxy.targets.count > tunnels)
        }
    }

    @Test func `a service that lacks the proxy's credentials is told so`() async throws {
        try await Self.withEmulator { emulator in
            let port = try #require(emulator.baseURL.port)
            let proxy = try TunnelProxy(to: port, expecting: "me:p@ss")
            var service = MSALConfidentialClientConfiguration(
                clientId: "00000000-0000-4000-8000-000000000010",
                authority: .url(try #require(URL(string: "https://\(Self.host):\(port)/contoso.example"))),
                credential: .secret("Emulator-secret-1")
            )
            service.caFile = emulator.certificateAuthorityFile
            service.retryPolicy = .none
            service.proxy = try MSALServerProxy(
                url: #require(URL(string: proxy.address)),
                user: "me",
                password: "wr0ng-p@ss"
            )
            let client = try MSALConfidentialClientApplication(configuration: service)

            let error = await #expect(throws: MSALTokenError.self) {
                try await client.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
            }

            #expect(error?.kind == .network)
            #expect(error?.message.contains("does not accept the user name and password") == true)
            #expect(!"\(String(describing: error))".contains("wr0ng"))
        }
    }

    @Test(arguments: [host, ".test", "*"])
    func `an exception bypasses the proxy`(_ exception: String) async throws {
        try await Self.withEmulator { emulator in
            let proxy = try TunnelProxy(to: try #require(emulator.baseURL.port))

            let outcome = try await Self.signIn(
                emulator,
                environment: ["HTTPS_PROXY": proxy.address, "NO_PROXY": exception]
            )

            #expect(outcome.status == 5)
            #expect(outcome.errors.contains("The name \(Self.host) has no address."))
            #expect(proxy.targets.isEmpty)
        }
    }

    @Test func `the authorities of SSL_CERT_FILE are trusted, and others are not`() async throws {
        try await Self.withEmulator { emulator in
            let proxy = try TunnelProxy(to: try #require(emulator.baseURL.port))
            let file = emulator.certificateAuthorityFile.path()
            let proxied = ["HTTPS_PROXY": proxy.address, "MSAL_CA_FILE": ""]

            let trusted = try await Self.signIn(emulator, environment: proxied.merging(["SSL_CERT_FILE": file]) { $1 })
            let untrusted = try await Self.signIn(emulator, environment: proxied)

            #expect(trusted.status == 0, "\(trusted.errors)")
            #expect(untrusted.status == 5)
            #expect(untrusted.errors.contains("unknown authority"))
            #expect(untrusted.errors.contains("SSL_CERT_FILE"))
        }
    }

    private static func withEmulator(_ story: (Emulator) async throws -> Void) async throws {
        try await Emulator.with({ $0.additionalHosts = [host] }, story: story)
    }

    /// A customer signs in at the service's name, with these variables set.
    private static func signIn(
        _ emulator: Emulator,
        environment: [String: String]
    ) async throws -> CommandRunner.Outcome {
        var command = try CommandRunner(emulator)
        let port = try #require(emulator.baseURL.port)
        command.environment["MSAL_AUTHORITY"] = "https://\(host):\(port)/fabrikam"
        command.environment.merge(environment) { $1 }
        return try await command.run(
            "native",
            "sign-in",
            "password@fabrikam.example",
            "--answers",
            "-",
            "-o",
            "raw",
            input: #"{"password": "\#(emulator.seed.password)"}"#
        )
    }
}
