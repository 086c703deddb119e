// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

#if Metrics
    import CoreMetrics
#endif
#if Tracing
    import Tracing
#endif

/// The settings that every credential accepts.
@Suite(.timeLimit(.minutes(1)))
struct CredentialOptionsTests {
    private let scope = "https://vault.azure.net/.default"
    private let token = #"{"access_token":"at","token_type":"Bearer","expires_in":7200,"refresh_in":3600}"#
    private let identity = [
        "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "contoso.example",
    ]
    private let log = ServiceLog()

    private var options: MSALCredentialOptions {
        var options = MSALCredentialOptions()
        options.capabilities = ["cp1"]
        options.logger = log.logger
        options.additionallyAllowedTenants = ["fabrikam.example"]
        return options
    }

    /// A credential of each kind that calls the service, by name.
    private func credentials(_ transport: ScriptedTransport) throws -> [(String, any MSALTokenCredential)] {
        func environment(_ more: [String: String]) -> ServerEnvironment {
            .double(
                variables: identity.merging(more) { $1 },
                files: MemoryFiles(["/token": Data("jwt".utf8)]),
                transport: transport
            )
        }
        let secret = environment(["AZURE_CLIENT_SECRET": "s~ecret"])
        let pod = environment(["AZURE_FEDERATED_TOKEN_FILE": "/token"])
        var defaults = MSALDefaultCredentialOptions()
        defaults.credentials = options
        return [
            ("environment", MSALEnvironmentCredential(options: options, environment: secret)),
            (
                "user",
                MSALEnvironmentCredential(
                    options: options,
                    environment: environment(["AZURE_USERNAME": "u", "AZURE_PASSWORD": "p"])
                )
            ),
            ("workload", MSALWorkloadIdentityCredential(options: options, environment: pod)),
            ("federated", MSALFederatedCredential(.kubernetes, options: options, environment: pod)),
            ("chain", try MSALChainedCredential([.environment], options: options, environment: secret)),
            ("default", try MSALDefaultCredential(defaults, environment: secret)),
        ]
    }

    @Test func `capabilities, a logger and further tenants reach every credential that calls the service`() async throws
    {
        let transport = ScriptedTransport()
        var request = MSALTokenRequest(scopes: [scope])
        request.options.tenant = "fabrikam.example"

        for (name, credential) in try credentials(transport) {
            let count = transport.messages.count
            transport.append(.json(token))
            log.forget()

            _ = try await credential.token(for: request)

            let message = try #require(transport.messages.dropFirst(count).first)
            let claims = JSONValue(parsing: Data((message.form["claims"] ?? "").utf8))?.object
            let capability = claims?["access_token"]?.object?["xms_cc"]?.object?["values"]
            #expect(capability == .array([.string("cp1")]), "\(name)")
            #expect(message.url.path() == "/fabrikam.example/oauth2/v2.0/token", "\(name)")
            #expect(log.lines.contains { $0.contains("POST") }, "\(name): \(log.lines)")
        }
    }

    @Test func `a managed identity sends its capabilities to Service Fabric, and logs to the program's logger`()
        async throws
    {
        let machine = MachineDouble(variables: [
            "IDENTITY_ENDPOINT": "https://127.0.0.1:41741/x", "IDENTITY_HEADER": "h",
            "IDENTITY_SERVER_THUMBPRINT": "1f40a1b2c3d4e5f60718293a4b5c6d7e8f901234",
        ])
        machine.transport.append(.json(#"{"access_token":"at-1","expires_in":"86400"}"#))
        let failures = Mutex<[MSALTokenError.Kind]>([])
        var options = options
        options.onBackgroundFailure = { error in failures.withLock { $0.append(error.kind) } }
        let application = MSALManagedIdentityApplication(options: options, environment: machine.environment)
        _ = try await application.token(for: scope)
        machine.time.advance(by: .seconds(43_201))
        machine.transport.append(.json(#"{"error":{"code":"x"}}"#, status: 400))

        _ = try await application.token(for: scope)
        try await until(failures.withLock { $0 } == [.refused])

        let query = try #require(machine.transport.messages.first?.url.query())
        #expect(query.contains("xms_cc=cp1"))
        #expect(log.lines.contains { $0.hasPrefix("warning: A token could not be refreshed ahead of time") })
    }

    @Test func `two programs with one managed identity share its token, and each has its own logger`() async throws {
        let machine = MachineDouble()
        machine.transport.append(.json(#"{"access_token":"at-1","expires_in":"86400"}"#))
        let first = MSALManagedIdentityApplication(environment: machine.environment)
        let second = MSALManagedIdentityApplication(options: options, environment: machine.environment)
        _ = try await first.token(for: scope)
        machine.time.advance(by: .seconds(43_201))
        machine.transport.append(.json(#"{"error":"x"}"#, status: 400))

        #expect(try await second.token(for: scope).accessToken == "at-1")

        try await until(log.lines.contains { $0.hasPrefix("warning: ") })
    }

    @Test func `a failed refresh of the environment's identity is logged to the program`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let transport = ScriptedTransport(.json(token), .json(#"{"error":"invalid_client"}"#, status: 401))
        let failures = Mutex<[MSALTokenError.Kind]>([])
        var options = options
        options.onBackgroundFailure = { error in failures.withLock { $0.append(error.kind) } }
        let credential = MSALEnvironmentCredential(
            options: options,
            environment: .double(
                variables: identity.merging(["AZURE_CLIENT_SECRET": "s"]) { $1 },
                time: time,
                transport: transport
            )
        )
        _ = try await credential.token(for: scope)
        time.advance(by: .seconds(3601))

        _ = try await credential.token(for: scope)

        try await until(failures.withLock { $0 } == [.invalidClient])
    }

    @Test func `a workload's client ID, tenant and file need no variables`() async throws {
        let transport = ScriptedTransport(.json(token))
        let environment = ServerEnvironment.double(
            files: MemoryFiles(["/var/run/token": Data("jwt".utf8)]),
            transport: transport
        )
        let (client, tenant) = ("00000000-0000-4000-8000-000000000002", "contoso.example")
        let chain = try MSALChainedCredential(
            [.workloadIdentity(clientId: client, tenant: tenant, tokenFile: "/var/run/token")],
            environment: environment
        )

        _ = try await chain.token(for: scope)

        let message = try #require(transport.messages.first)
        #expect(message.form["client_id"] == client)
        #expect(message.form["client_assertion"] == "jwt")
        #expect(message.url.path() == "/contoso.example/oauth2/v2.0/token")
    }

    @Test func `missing settings of a workload are named`() async throws {
        let credential = MSALWorkloadIdentityCredential(tenant: "contoso.example", environment: .double())

        let error = try await failure { () async throws(MSALTokenError) in try await credential.token(for: scope) }

        #expect(error.kind == .credentialUnavailable)
        #expect(error.message.hasPrefix("Not set: AZURE_CLIENT_ID, AZURE_FEDERATED_TOKEN_FILE."))
    }

    @Test func `an application's configuration has all of these settings except the tenants`() throws {
        var options = options
        options.caFile = URL(filePath: "/ca.pem")
        options.requestTimeout = .seconds(7)
        options.maximumConnections = 3
        options.onBackgroundFailure = { _ in }
        options.onBackgroundRefresh = { _ in }
        options.allowsEmulator = true
        var settings = 9
        #if Metrics
            options.metrics = NOOPMetricsHandler.instance
            settings += 1
        #endif
        #if Tracing
            options.tracer = NoOpTracer()
            settings += 1
        #endif
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "id",
            authority: .organizations,
            credential: .secret("s")
        )

        configuration.options = options

        let copy = configuration.options
        #expect(copy.capabilities == options.capabilities && copy.caFile == options.caFile)
        #expect(copy.requestTimeout == options.requestTimeout && copy.maximumConnections == 3)
        #expect(copy.logger.label == options.logger.label && copy.onBackgroundFailure != nil)
        #expect(copy.onBackgroundRefresh != nil && copy.allowsEmulator)
        #if Metrics
            #expect(copy.metrics is NOOPMetricsHandler)
        #endif
        #if Tracing
            #expect(copy.tracer is NoOpTracer)
        #endif
        // A setting that is added later has to be copied, too.
        #expect(Mirror(reflecting: options).children.count == settings)
    }
}

/// The lines that a program's logger receives.
private final class ServiceLog: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func forget() { all.withLock { $0 = [] } }

    var logger: Logger {
        var logger = Logger(label: "service") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: ServiceLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.all.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
