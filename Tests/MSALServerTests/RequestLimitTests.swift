// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

/// The time limits of requests and calls, and the number of connections.
@Suite(.timeLimit(.minutes(1)))
struct RequestLimitTests {
    private let graph = "https://graph.microsoft.com/.default"

    // MARK: A service that hangs

    /// A responder that never responds: exactly the time limit of each request passes.
    private final class Hanging: HTTPTransport {
        private let time: ManualTime
        private let asked = Mutex<[Duration]>([])
        init(_ time: ManualTime) { self.time = time }

        /// The time limits of the requests, in order.
        var limits: [Duration] { asked.withLock { $0 } }

        func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
            let limit = message.timeout ?? .seconds(300)
            asked.withLock { $0.append(limit) }
            time.advance(by: limit)
            throw TransportError(.timedOut, message: "No full response came.")
        }
    }

    private func client(
        _ environment: ServerEnvironment,
        credential: MSALClientCredential = .secret("s~ecret"),
        region: MSALRegion = .none,
        requestTimeout: Duration = .seconds(30),
        retryPolicy: MSALServerRetryPolicy = MSALServerRetryPolicy()
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "00000000-0000-4000-8000-000000000001",
            authority: .tenant("contoso.example"),
            credential: credential
        )
        configuration.region = region
        configuration.requestTimeout = requestTimeout
        configuration.retryPolicy = retryPolicy
        return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
    }

    @Test(arguments: [MSALRegion.none, .named("westus2")])
    func `a token endpoint that hangs takes thirty seconds in total`(region: MSALRegion) async throws {
        let time = ManualTime(skipsSleeps: true)
        let start = time.now
        let client = try client(.double(time: time, transport: Hanging(time)), region: region)

        let error = try await failure { () async throws(MSALTokenError) in try await client.token(for: graph) }

        #expect(error.kind == .network)
        #expect(error.isRetryable)
        #expect(time.now.timeIntervalSince(start) <= 30)
    }

    @Test(arguments: [[:], ["IDENTITY_ENDPOINT": "http://127.0.0.1:41741/msi/token", "IDENTITY_HEADER": "h"]])
    func `a managed identity host that hangs takes thirty seconds in total`(
        variables: [String: String]
    ) async throws {
        let time = ManualTime(skipsSleeps: true)
        let start = time.now
        let environment = ServerEnvironment.double(
            variables: variables,
            time: time,
            metadataTransport: Hanging(time)
        )
        let application = MSALManagedIdentityApplication(environment: environment)

        let error = try await failure { () async throws(MSALTokenError) in try await application.token(for: graph) }

        #expect(error.kind == .unavailable)
        #expect(time.now.timeIntervalSince(start) == 30)
    }

    @Test func `attempts of a managed identity share the time limit`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let slow = ScriptedTransport.Response("slow") { message throws(TransportError) in
            time.advance(by: .seconds(12))
            throw TransportError(.connectionLost, message: "As the script says.")
        }
        let transport = ScriptedTransport([slow, slow, slow])
        let application = MSALManagedIdentityApplication(
            environment: .double(time: time, metadataTransport: transport)
        )

        _ = try await failure { () async throws(MSALTokenError) in try await application.token(for: graph) }

        #expect(transport.messages.map(\.timeout) == [.seconds(30), .seconds(18), .seconds(6)])
    }

    @Test func `the two requests to Azure Arc share the time limit`() async throws {
        let folder = "/tokens"
        for (first, limits) in [(20, [30, 10]), (30, [30])] {
            let time = ManualTime(skipsSleeps: true)
            let start = time.now
            let challenge = ScriptedTransport.Response("challenge") { _ in
                time.advance(by: .seconds(first))
                return HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\(folder)/a.key"])
            }
            let hangs = ScriptedTransport.Response("nothing") { message throws(TransportError) in
                time.advance(by: message.timeout ?? .seconds(300))
                throw TransportError(.timedOut, message: "No full response came.")
            }
            let transport = ScriptedTransport([challenge, hangs])
            var environment = ServerEnvironment.double(
                variables: [
                    "IDENTITY_ENDPOINT": "http://127.0.0.1:40342/x", "IMDS_ENDPOINT": "http://127.0.0.1:40342",
                ],
                time: time,
                files: MemoryFiles(["\(folder)/a.key": Data("c2VjcmV0".utf8)]),
                metadataTransport: transport
            )
            environment.arcTokenFolder = folder
            let application = MSALManagedIdentityApplication(environment: environment)

            let error = try await failure { () async throws(MSALTokenError) in try await application.token(for: graph) }

            #expect(error.kind == .unavailable)
            #expect(transport.messages.compactMap(\.timeout) == limits.map { Duration.seconds($0) })
            #expect(time.now.timeIntervalSince(start) == 30)
        }
    }

    @Test(arguments: [(5, [5]), (15, [10, 4]), (30, [10, 10, 8]), (60, [10, 10, 10])])
    func `a job's token service that hangs takes the time of one request`(
        limit: Int,
        attempts: [Int]
    ) async throws {
        let variables = [
            "ACTIONS_ID_TOKEN_REQUEST_URL": "https://pipelines.example/idtoken",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "gh-req-1",
            "SYSTEM_OIDCREQUESTURI": "https://dev.azure.example/oidctoken", "SYSTEM_ACCESSTOKEN": "ado-1",
        ]
        for source in [MSALFederatedSource.gitHubActions, .azurePipelines(serviceConnectionId: "conn-1")] {
            let time = ManualTime(skipsSleeps: true)
            let start = time.now
            let hanging = Hanging(time)
            let client = try client(
                .double(variables: variables, time: time, transport: hanging),
                credential: .federated(source),
                requestTimeout: .seconds(limit)
            )

            let error = try await failure { () async throws(MSALTokenError) in try await client.token(for: graph) }

            #expect(error.kind == .credentialUnavailable)
            #expect(error.isRetryable)
            #expect(hanging.limits == attempts.map { Duration.seconds($0) })
            #expect(time.now.timeIntervalSince(start) <= Double(limit))
        }
    }

    // MARK: The retry policy

    @Test func `a policy decides how often a request is retried, and after which delays`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let transport = ScriptedTransport(
            .json("{}", status: 503),
            .json("{}", status: 500),
            .failure(.connectionLost),
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#)
        )
        let policy = MSALServerRetryPolicy(maximumRetries: 3, initialDelay: .seconds(1), multiplier: 2)
        let client = try client(.double(time: time, transport: transport, retryPolicy: policy))

        #expect(try await client.token(for: graph).accessToken == "a1")
        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
        try transport.verify()
    }

    @Test func `without retries each request is sent once, also to managed identity hosts and issuers`() async throws {
        var options = MSALCredentialOptions()
        options.retryPolicy = .none
        let down = { ScriptedTransport(.json("{}", status: 503)) }
        let (service, issuer, host) = (down(), down(), down())
        let job = [
            "ACTIONS_ID_TOKEN_REQUEST_URL": "https://pipelines.example/idtoken",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "gh-req-1",
        ]
        let credentials: [any MSALTokenCredential] = [
            try client(.double(transport: service, retryPolicy: .none)),
            try client(
                .double(variables: job, transport: issuer, retryPolicy: .none),
                credential: .federated(.gitHubActions),
                retryPolicy: .none
            ),
            MSALManagedIdentityApplication(options: options, environment: .double(metadataTransport: host)),
        ]

        for credential in credentials {
            _ = try await failure { () async throws(MSALTokenError) in try await credential.token(for: graph) }
        }

        for transport in [service, issuer, host] { #expect(transport.messages.count == 1) }
    }

    // MARK: The time limit of a call

    /// The credentials whose requests never end, by name.
    private func hangingCredentials(_ time: ManualTime) throws -> [(String, any MSALTokenCredential)] {
        let hangs = ScriptedTransport.Response("nothing") { _ throws(TransportError) in
            while !Task.isCancelled { await Task.yield() }
            throw TransportError(.canceled, message: "No caller is waiting.")
        }
        var environment = ServerEnvironment.double(
            variables: [
                "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "contoso.example",
                "AZURE_USERNAME": "megan@contoso.example", "AZURE_PASSWORD": "Pa55-word!",
                "AZURE_FEDERATED_TOKEN_FILE": "/token",
            ],
            time: time,
            files: MemoryFiles(["/token": Data("jwt".utf8)]),
            transport: ScriptedTransport(Array(repeating: hangs, count: 9)),
            metadataTransport: ScriptedTransport(Array(repeating: hangs, count: 9))
        )
        environment.commands = HangingCommands()
        return [
            ("client", try client(environment)),
            ("environment", MSALEnvironmentCredential(environment: environment)),
            ("workload", MSALWorkloadIdentityCredential(environment: environment)),
            ("federated", MSALFederatedCredential(.kubernetes, environment: environment)),
            ("managed identity", MSALManagedIdentityApplication(environment: environment)),
            ("command line", MSALCommandLineCredential(.azureCLI, environment: environment)),
            ("chain", try MSALChainedCredential([.managedIdentity(), .environment], environment: environment)),
        ]
    }

    private struct HangingCommands: ServerCommands {
        func run(_ command: ServerCommand) async throws(CommandError) -> CommandOutput {
            while !Task.isCancelled { await Task.yield() }
            throw .cancelled
        }
    }

    @Test func `a call ends at its time limit, whatever it waits for`() async throws {
        let time = ManualTime()
        var options = MSALTokenOptions()
        options.timeout = .seconds(5)
        let request = MSALTokenRequest(scopes: [graph], options: options)

        for (name, credential) in try hangingCredentials(time) {
            let call = Task {
                try await failure { () async throws(MSALTokenError) in try await credential.token(for: request) }
            }
            await time.untilSomebodySleeps()
            time.advance(by: .seconds(5))

            let error = try await call.value

            #expect(error.kind == .network, "\(name): \(error)")
            #expect((error.causes.first as NSError?)?.code == -1001, "\(name)")
            #expect(error.message.contains("5 seconds"), "\(name)")
        }
    }

    @Test func `a call that is served in time returns its token`() async throws {
        let transport = ScriptedTransport(.json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#))
        let client = try client(.double(time: ManualTime(), transport: transport))
        var options = MSALTokenOptions()
        options.timeout = .seconds(5)

        let result = try await client.acquireTokenForClient(scopes: [graph], options: options)

        #expect(result.accessToken == "a1")
    }

    @Test func `a call that times out does not affect the request of others`() async throws {
        let time = ManualTime()
        let mayAnswer = AtomicFlag()
        let transport = ScriptedTransport(
            ScriptedTransport.Response("late") { _ in
                while !mayAnswer.isSet { await Task.yield() }
                let token = #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#
                return HTTPResponse(status: 200, body: Data(token.utf8))
            }
        )
        let client = try client(.double(time: time, transport: transport))
        var options = MSALTokenOptions()
        options.timeout = .seconds(5)
        let impatient = Task { [options] in
            try await client.acquireTokenForClient(scopes: [graph], options: options)
        }
        await time.untilSomebodySleeps()
        let patient = Task { try await client.acquireTokenForClient(scopes: [graph]) }
        try await until(client.tokens.cache.waitingCallers == 2)

        time.advance(by: .seconds(5))

        await #expect(throws: MSALTokenError.self) { try await impatient.value }
        mayAnswer.set()
        #expect(try await patient.value.accessToken == "a1")
        try transport.verify()
    }

    @Test func `a canceled call with a time limit is canceled, not timed out`() async throws {
        let time = ManualTime()
        let credential = try #require(try hangingCredentials(time).first).1
        var options = MSALTokenOptions()
        options.timeout = .seconds(5)
        let request = MSALTokenRequest(scopes: [graph], options: options)
        let call = Task {
            try await failure { () async throws(MSALTokenError) in try await credential.token(for: request) }
        }
        await time.untilSomebodySleeps()

        call.cancel()

        #expect(try await call.value.kind == .cancelled)
    }

    // MARK: Settings

    @Test func `the limits of a program apply to its connections`() {
        var options = MSALCredentialOptions()
        options.caFile = URL(filePath: "/etc/ssl/company.pem")
        options.requestTimeout = .seconds(7)
        options.maximumConnections = 200
        options.proxy = .none
        options.retryPolicy = MSALServerRetryPolicy(maximumRetries: 4)

        let settings = ServerEnvironment.connections(options, variables: ["SSL_CERT_FILE": "/ca.pem"])

        #expect(settings.maximumConnections == 200)
        #expect(settings.connectTimeout == .seconds(7))
        #expect(settings.caFile == options.caFile)
        #expect(settings.route == .direct)
        #expect(settings.retries?.count == 4)
        #expect(settings.retries?.timeout == .seconds(7))
        #expect(settings.environment == ["SSL_CERT_FILE": "/ca.pem"])
    }

    @Test func `a service has 64 connections and half a minute by default`() {
        let configuration = MSALConfidentialClientConfiguration(
            clientId: "id",
            authority: .organizations,
            credential: .secret("s")
        )

        for options in [MSALCredentialOptions(), configuration.options] {
            #expect(options.maximumConnections == 64)
            #expect(options.requestTimeout == .seconds(30))
        }
    }
}
