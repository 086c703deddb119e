// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

/// Managed identities over real sockets, with the emulator's hosts.
struct ManagedIdentityEndToEndTests {
    private static let graph = "https://graph.microsoft.com/.default"
    private static let user = "00000000-0000-4000-8000-000000000021"
    private static let userObject = "eeeeeeee-0000-4000-8000-000000000021"
    private static let userResource =
        "/subscriptions/00000000-0000-4000-8000-0000000000f1/resourceGroups/contoso/providers/"
        + "Microsoft.ManagedIdentity/userAssignedIdentities/contoso-identity"

    /// A program on one of the emulator's hosts. No server listens at the proxy in its variables.
    private func environment(
        _ emulator: Emulator,
        at source: ManagedIdentitySource,
        time: any TimeSource = SystemTime()
    ) throws -> ServerEnvironment {
        let addresses = try #require(emulator.managedIdentity)
        var variables = addresses.environment(for: source)
        for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            variables[name] = "http://127.0.0.1:1"
        }
        var environment = ServerEnvironment.sockets(variables: variables, time: time)
        environment.arcTokenFolder = try #require(addresses.arcKeyFolder)
        return environment
    }

    private func claims(_ token: String) throws -> [String: MSALBase.JSONValue] {
        let parts = token.split(separator: ".")
        let payload = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
        return try #require(MSALBase.JSONValue(parsing: payload)?.object)
    }

    private static let kinds: [ManagedIdentitySource: MSALManagedIdentitySource.Kind] = [
        .imds: .imds, .appService: .appService, .azureArc: .azureArc, .cloudShell: .cloudShell,
        .serviceFabric: .serviceFabric, .machineLearning: .machineLearning,
    ]

    @Test(arguments: ManagedIdentitySource.allCases)
    func `every host returns the machine's token, bypassing every proxy, and the second is from memory`(
        source: ManagedIdentitySource
    ) async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            let application = MSALManagedIdentityApplication(environment: try environment(emulator, at: source))

            let first = try await application.acquireToken(resource: Self.graph)
            let requests = emulator.journal.count
            let second = try await application.acquireToken(resource: "https://graph.microsoft.com")

            #expect(application.source.kind == Self.kinds[source])
            #expect(try claims(first.accessToken)["oid"]?.string == "eeeeeeee-0000-4000-8000-000000000020")
            #expect(first.source == .service)
            #expect(second.source == .cache)
            #expect(second.accessToken == first.accessToken)
            #expect(emulator.journal.count == requests)
            // The tokens of the machine live for a day.
            #expect(first.refreshOn != nil)
        }
    }

    @Test(arguments: [
        (ManagedIdentitySource.imds, MSALManagedIdentityId.clientId(user)), (.imds, .objectId(userObject)),
        (.imds, .resourceId(userResource)), (.appService, .clientId(user)), (.appService, .objectId(userObject)),
        (.appService, .resourceId(userResource)), (.azureArc, .clientId(user.uppercased())),
        (.azureArc, .objectId(userObject)), (.azureArc, .resourceId(userResource)),
        (.machineLearning, .clientId(user)), (.serviceFabric, .objectId(userObject)),
    ])
    func `a user-assigned identity is requested with the ids of the host`(
        source: ManagedIdentitySource,
        identity: MSALManagedIdentityId
    ) async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            let application = MSALManagedIdentityApplication(
                identity: identity,
                environment: try environment(emulator, at: source)
            )

            let token = try await application.acquireToken(resource: Self.graph)

            #expect(try claims(token.accessToken)["oid"]?.string == Self.userObject)
        }
    }

    @Test func `a server with another certificate receives nothing`() async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            var environment = try environment(emulator, at: .serviceFabric)
            environment.variables["IDENTITY_SERVER_THUMBPRINT"] = String(repeating: "0", count: 40)
            let application = MSALManagedIdentityApplication(environment: environment)

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireToken(resource: Self.graph)
            }

            #expect(error.kind == .network)
            #expect(!error.isRetryable)
            #expect((error.causes.first as? NSError)?.code == -1202)
            #expect(error.message.contains("IDENTITY_SERVER_THUMBPRINT"))
            #expect(emulator.journal.isEmpty)
        }
    }

    @Test func `the capabilities of a program in Service Fabric are in its token`() async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            var options = MSALCredentialOptions()
            options.capabilities = ["cp1"]
            let application = MSALManagedIdentityApplication(
                options: options,
                environment: try environment(emulator, at: .serviceFabric)
            )

            let token = try await application.acquireToken(resource: Self.graph)

            #expect(try claims(token.accessToken)["xms_cc"] == .array([.string("cp1")]))
        }
    }

    @Test(arguments: [ManagedIdentitySource.imds, .appService, .serviceFabric])
    func `an identity that the machine does not have is named`(source: ManagedIdentitySource) async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            _ = emulator.assignManagedIdentity("contoso-identity", isAssigned: false)
            let application = MSALManagedIdentityApplication(
                identity: .objectId(Self.userObject),
                environment: try environment(
                    emulator,
                    at: source,
                    time: ManualTime(now: Date(), skipsSleeps: true)
                )
            )

            let error = try await failure { () async throws(MSALTokenError) in
                try await application.acquireToken(resource: Self.graph)
            }

            #expect(error.kind == .identityNotAssigned)
            #expect(error.message.contains("dentity"))
        }
    }

    @Test func `an update of the metadata service is awaited for at most seventy seconds`() async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            let time = ManualTime(now: Date(), skipsSleeps: true)
            let application = MSALManagedIdentityApplication(
                environment: try environment(emulator, at: .imds, time: time)
            )
            emulator.failManagedIdentity(status: 410, source: .imds, count: 7)

            let token = try await application.acquireToken(resource: Self.graph)

            #expect(token.source == .service)
            #expect(time.sleeps == Array(repeating: .seconds(10), count: 7))
        }
    }

    @Test func `a host that limits requests is called again after the pause that it names`() async throws {
        try await ServerEmulator.run({ $0.managedIdentity = ManagedIdentitySettings() }) { emulator in
            let time = ManualTime(now: Date(), skipsSleeps: true)
            let application = MSALManagedIdentityApplication(
                environment: try environment(emulator, at: .appService, time: time)
            )
            emulator.failManagedIdentity(status: 429, source: .appService, retryAfter: 9, count: 1)

            _ = try await application.acquireToken(resource: Self.graph)

            #expect(time.sleeps == [.seconds(9)])
        }
    }
}
