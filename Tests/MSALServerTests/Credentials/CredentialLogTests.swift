// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// The log of a program while its credentials are used. Every secret of the machine, the program, and the service has a
/// marker.
@Suite(.timeLimit(.minutes(1)))
struct CredentialLogTests {
    /// The behavior of the service and the hosts.
    enum Service: CaseIterable {
        case answers, refuses, breaks
    }

    private static let mark = "M4RK"
    /// No line contains a part of it either. The service repeats it in its message, as it does with an assertion.
    private static let token = "eyJhbGciOiJub25lIn0.\(mark)-token"
    private static let keyFile = "/var/opt/azcmagent/tokens/a.key"

    /// The service, the hosts of managed identities and the issuers of assertions in one transport.
    private struct MarkedService: HTTPTransport {
        let behavior: Service

        func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
            if message.url.port == 40_342, message.headers["Authorization"] == nil {
                let challenge = "Basic realm=\(CredentialLogTests.keyFile)"
                return HTTPResponse(status: 401, headers: ["WWW-Authenticate": challenge])
            }
            let token = JSONValue.string(CredentialLogTests.token)
            switch behavior {
            case .answers:
                return json(
                    200,
                    [
                        "access_token": token, "token_type": .string("Bearer"), "expires_in": .integer(3600),
                        "refresh_token": token, "value": token, "oidcToken": token,
                    ]
                )
            case .refuses:
                let words = "AADSTS7000215: Refused: \(CredentialLogTests.token)"
                return json(401, ["error": .string("invalid_client"), "error_description": .string(words)])
            case .breaks:
                throw TransportError(.connectionLost, message: "As the script says.")
            }
        }

        private func json(_ status: Int, _ members: [String: JSONValue]) -> HTTPResponse {
            let text = JSONValue.object(members).text
            return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
        }
    }

    private func environment(_ service: Service, _ variables: [String: String] = [:]) -> ServerEnvironment {
        let secrets = [
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "IDENTITY_HEADER", "MSI_SECRET", "SYSTEM_ACCESSTOKEN",
            "SECRET_OF_ANOTHER_LIBRARY",
        ]
        let common = [
            "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "contoso.example",
            "ACTIONS_ID_TOKEN_REQUEST_URL": "https://pipelines.example/idtoken",
            "SYSTEM_OIDCREQUESTURI": "https://dev.azure.example/oidctoken",
        ]
        let marked = Dictionary(uniqueKeysWithValues: secrets.map { ($0, "\(Self.mark)-\($0)") })
        let transport = MarkedService(behavior: service)
        let az =
            service == .answers
            ? ScriptedCommands("az", writes: #"{"accessToken":"\#(Self.token)","expires_on":4000000000}"#)
            : ScriptedCommands("az", writes: "", errors: "ERROR: AADSTS50020: no \(Self.token)", status: 1)
        return .double(
            variables: common.merging(marked) { $1 }.merging(variables) { $1 },
            files: MemoryFiles([
                "/token": Data(Self.token.utf8), Self.keyFile: Data("\(Self.mark)-key".utf8),
            ]),
            transport: transport,
            metadataTransport: transport,
            commands: az
        )
    }

    /// A credential of each kind, by name.
    private func credentials(
        _ service: Service,
        _ options: MSALCredentialOptions
    ) throws -> [(name: String, credential: any MSALTokenCredential)] {
        func application(_ credential: MSALClientCredential) throws -> MSALConfidentialClientApplication {
            var configuration = MSALConfidentialClientConfiguration(
                clientId: "00000000-0000-4000-8000-000000000001",
                authority: .tenant("contoso.example"),
                credential: credential
            )
            configuration.options = options
            return try MSALConfidentialClientApplication(
                configuration: configuration,
                environment: environment(service)
            )
        }
        func managed(_ variables: [String: String]) -> MSALManagedIdentityApplication {
            MSALManagedIdentityApplication(options: options, environment: environment(service, variables))
        }
        let secret = environment(service, ["AZURE_CLIENT_SECRET": "\(Self.mark)-secret"])
        let user = environment(service, ["AZURE_USERNAME": "megan", "AZURE_PASSWORD": "\(Self.mark)-password"])
        let pod = environment(service, ["AZURE_FEDERATED_TOKEN_FILE": "/token"])
        var defaults = MSALDefaultCredentialOptions()
        defaults.credentials = options
        let token = Self.token
        return [
            ("secret", try application(.secret("\(Self.mark)-secret"))),
            ("certificate", try application(.certificate(try CertificateFixture.leaf()))),
            ("callback", try application(.assertion { _ in MSALClientAssertion(token) })),
            ("GitHub", try application(.federated(.gitHubActions))),
            ("pipeline", try application(.federated(.azurePipelines(serviceConnectionId: "id")))),
            ("environment", MSALEnvironmentCredential(options: options, environment: secret)),
            ("user", MSALEnvironmentCredential(options: options, environment: user)),
            ("workload", MSALWorkloadIdentityCredential(options: options, environment: pod)),
            ("federated", MSALFederatedCredential(.gitHubActions, options: options, environment: secret)),
            ("virtual machine", managed([:])),
            ("App Service", managed(["IDENTITY_ENDPOINT": "http://127.0.0.1:41741/msi/token"])),
            (
                "Azure Arc",
                managed([
                    "IDENTITY_ENDPOINT": "http://127.0.0.1:40342/x", "IMDS_ENDPOINT": "http://127.0.0.1:40342",
                    "IDENTITY_HEADER": "",
                ])
            ),
            ("Cloud Shell", managed(["MSI_ENDPOINT": "http://localhost:50342/oauth2/token", "MSI_SECRET": ""])),
            (
                "Machine Learning",
                managed([
                    "MSI_ENDPOINT": "http://127.0.0.1:46808/MSI/auth",
                    "DEFAULT_IDENTITY_CLIENT_ID": "00000000-0000-4000-8000-000000000001",
                ])
            ),
            (
                "command line",
                MSALCommandLineCredential(.azureCLI, options: options, environment: environment(service))
            ),
            (
                "chain",
                try MSALChainedCredential(
                    [.workloadIdentity, .managedIdentity(), .azureCLI],
                    options: options,
                    environment: environment(service)
                )
            ),
            ("default", try MSALDefaultCredential(defaults, environment: secret)),
        ]
    }

    @Test(arguments: Service.allCases)
    func `no line contains a secret of the machine, of the program or of the service`(_ service: Service) async throws {
        let lines = LoggedLines()
        var options = MSALCredentialOptions()
        options.logger = lines.logger
        options.logger.logLevel = .trace
        var names: Set<String> = []
        for (name, credential) in try credentials(service, options) {
            let count = lines.all.count
            do {
                let result = try await credential.token(for: "https://vault.azure.net/.default")
                #expect(service == .answers && result.accessToken == Self.token, "\(name)")
            } catch {
                #expect(service != .answers, "\(name): \(error)")
            }
            if lines.all.count > count { names.insert(name) }
        }

        for part in [Self.mark, "eyJ", "PRIVATE KEY"] { #expect(!lines.text.contains(part), "\(lines.text)") }
        #expect(names.isSuperset(of: ["secret", "certificate", "callback", "GitHub", "pipeline", "user", "workload"]))
    }

    @Test func `no line of a web sign-in contains its code, its tokens or its verifier`() async throws {
        let lines = LoggedLines()
        let story = try WebAppStory {
            $0.logger = lines.logger
            $0.logger.logLevel = .trace
        }
        let request = try await story.begin()
        story.service.append(SignInService.refusal("invalid_grant"))
        let response = try story.response(to: request, ["code": "\(Self.mark)-code"])
        _ = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }
        try await story.signIn(access: "\(Self.mark)-access", refresh: "\(Self.mark)-refresh")

        #expect(lines.text.contains("POST"))
        for part in [Self.mark, "eyJ", "s~ecret", request.secrets.verifier.exposed, request.secrets.state.exposed] {
            #expect(!lines.text.contains(part), "\(lines.text)")
        }
    }
}
