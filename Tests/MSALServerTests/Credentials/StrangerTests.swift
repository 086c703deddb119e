// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// Another server than the metadata service at 169.254.169.254.
@Suite(.timeLimit(.minutes(1)))
struct StrangerTests {
    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: HTTPResponse

        init(_ name: String, status: Int, type: String?, body: String) {
            testDescription = name
            response = HTTPResponse(
                status: status,
                headers: type.map { ["Content-Type": $0] } ?? [:],
                body: Data(body.utf8)
            )
        }

        static let all = [
            Stranger("a web page", status: 200, type: "text/html", body: "<html>Welcome to our Wi-Fi</html>"),
            Stranger("a proxy", status: 403, type: "text/plain", body: "Access denied by policy"),
            Stranger("a container's desktop", status: 403, type: nil, body: "dial tcp: an unreachable network"),
            Stranger("another cloud", status: 404, type: "text/html", body: "Not Found"),
            Stranger("a gateway", status: 502, type: "text/html", body: "<h1>Bad Gateway</h1>"),
            Stranger("JSON of something else", status: 200, type: "application/json", body: #"{"status":"ok"}"#),
            Stranger("nothing at all", status: 200, type: nil, body: ""),
        ]

        /// How it is described in the log, in errors and in the checkup.
        var words: String {
            "HTTP status \(response.status), \(response.headers["Content-Type"] ?? "no media type")"
        }

        /// A machine at whose metadata address this server responds to every request.
        func environment(variables: [String: String] = [:]) -> ServerEnvironment {
            let responses = (0..<8).map { _ in
                ScriptedTransport.Response(testDescription, to: { $0.url.host() == "169.254.169.254" }) {
                    [response] _ in
                    response
                }
            }
            return .double(variables: variables, metadataTransport: ScriptedTransport(responses))
        }
    }

    private let vault = "https://vault.azure.net/.default"

    @Test(arguments: Stranger.all)
    func `a chain continues, and its log describes the other server`(_ stranger: Stranger) async throws {
        let environment = stranger.environment()
        let own = FakeCredential("own", asked: Questions(), outcome: .success("t"))
        let chain = try MSALChainedCredential([.managedIdentity(), .credential(own)], environment: environment)
        let lines = Lines()

        let token = try await lines.heard { try await chain.token(for: vault) }

        #expect(token.accessToken == "t")
        #expect(lines.texts(of: .info).contains { $0.contains("169.254.169.254: \(stranger.words)") })
    }

    @Test(arguments: Stranger.all)
    func `the checkup finds no metadata service`(_ stranger: Stranger) async throws {
        let findings = await MSALIdentityCheckup.findings(in: stranger.environment())

        let finding = try #require(findings.first { $0.name == "managed identity" })
        #expect(finding.text.hasPrefix("no metadata service, but something else at its address (\(stranger.words))"))
    }

    @Test(arguments: Stranger.all)
    func `an identity that is used without a chain is unavailable`(_ stranger: Stranger) async throws {
        let application = MSALManagedIdentityApplication(environment: stranger.environment())

        let error = try await failure { () async throws(MSALTokenError) in try await application.token(for: vault) }

        #expect(error.kind == .unavailable)
        #expect(error.message.hasPrefix("A service other than the metadata service responds at 169.254.169.254: "))
        #expect(error.message.contains(stranger.words))
    }

    @Test func `an identity that a variable selects without a chain is unavailable, too`() async throws {
        let environment = Stranger.all[0].environment(
            variables: ["AZURE_TOKEN_CREDENTIALS": "ManagedIdentityCredential"]
        )
        let credential = try MSALDefaultCredential(environment: environment)

        let error = try await failure { () async throws(MSALTokenError) in try await credential.token(for: vault) }

        #expect(error.kind == .noCredential)
        #expect((error.causes.first as? MSALTokenError)?.kind == .unavailable)
    }

    @Test(arguments: [429, 500, 503])
    func `a busy metadata service exists, and ends the chain`(status: Int) async throws {
        let busy = ScriptedTransport.Response.json(#"{"error":"busy","error_description":"Later."}"#, status: status)
        let environment = ServerEnvironment.double(
            metadataTransport: ScriptedTransport(Array(repeating: busy, count: 5))
        )
        let own = FakeCredential("own", asked: Questions(), outcome: .success("t"))
        let chain = try MSALChainedCredential([.managedIdentity(), .credential(own)], environment: environment)

        let error = try await failure { () async throws(MSALTokenError) in try await chain.token(for: vault) }

        #expect(error.kind == .refused)
        #expect(error.isRetryable)
    }

    @Test(arguments: [TransportError.Kind.badResponse, .responseTooLarge(limit: 1)])
    func `bytes that are not HTTP are not a metadata service`(_ kind: TransportError.Kind) async throws {
        let environment = ServerEnvironment.double(
            metadataTransport: ScriptedTransport(.failure(kind), .failure(kind))
        )
        let application = MSALManagedIdentityApplication(environment: environment)

        let presence = try await MetadataProbing().presence(MSALMetadataProbe(), in: environment)
        let error = try await failure { () async throws(MSALTokenError) in try await application.token(for: vault) }

        #expect(presence != .present)
        #expect(error.kind == .unavailable)
    }

    @Test func `a command line that hangs lets a chain continue`() async throws {
        let commands = ScriptedCommands(["az": { _ in .failure(.timeout) }])
        let own = FakeCredential("own", asked: Questions(), outcome: .success("t"))
        let chain = try MSALChainedCredential([.azureCLI, .credential(own)], environment: .double(commands: commands))

        #expect(try await chain.token(for: vault).accessToken == "t")
    }
}
