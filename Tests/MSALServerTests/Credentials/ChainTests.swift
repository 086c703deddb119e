// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChainTests {
    private let vault = "https://vault.azure.net/.default"
    private let questions = Questions()
    /// The metadata service's response to a request without its header.
    private static let present =
        #"{"error":"invalid_request","error_description":"Required metadata header not specified"}"#

    private func fake(_ name: String, outcome: FakeCredential.Outcome, gate: Gate? = nil) -> FakeCredential {
        FakeCredential(name, asked: questions, outcome: outcome, gate: gate)
    }

    private func chain(_ fakes: FakeCredential...) throws -> MSALChainedCredential {
        try MSALChainedCredential(fakes.map { .credential($0, named: $0.name) }, environment: .double())
    }

    @Test func `the log names the selected credential once`() async throws {
        let chain = try chain(
            fake("first", outcome: FakeCredential.unavailable),
            fake("second", outcome: .success("t"))
        )
        let lines = Lines()

        try await lines.heard {
            _ = try await chain.token(for: vault)
            _ = try await chain.token(for: vault)
        }

        #expect(
            lines.texts(of: .info) == ["Tokens come from second, the first credential of the chain that returned one."]
        )
        #expect(chain.winner == "second")
    }

    @Test func `a call for another resource during the search gets the selected credential's token`() async throws {
        let gate = Gate()
        let chain = try chain(fake("only", outcome: .success("t"), gate: gate))
        let first = Task { try await chain.token(for: vault) }
        try await until(chain.callers == 1)
        let second = Task { try await chain.token(for: "https://graph.microsoft.com/.default") }
        try await until(chain.callers == 2)

        gate.open()

        #expect(try await first.value.scopes == [vault])
        #expect(try await second.value.scopes == ["https://graph.microsoft.com/.default"])
        #expect(questions.names == ["only", "only"])
    }

    @Test func `a canceled caller leaves the search to the others`() async throws {
        let gate = Gate()
        let chain = try chain(fake("only", outcome: .success("t"), gate: gate))
        let leader = Task { try await chain.token(for: vault) }
        try await until(chain.callers == 1)
        let follower = Task { try await chain.token(for: vault) }
        try await until(chain.callers == 2)

        leader.cancel()
        try await until(chain.callers == 1)
        gate.open()

        #expect(try await follower.value.accessToken == "t")
        #expect(questions.names == ["only"])
    }

    @Test func `the error of the selected credential keeps its kind and gets its name`() async throws {
        let member = fake("vaultIdentity", outcome: .success("t"))
        let chain = try chain(member)
        _ = try await chain.token(for: vault)
        member.answer(.failure(MSALTokenError(.throttled, message: "Slowly.", retryAfter: .seconds(7))))

        let error = try await failure { () async throws(MSALTokenError) in try await chain.token(for: vault) }

        #expect(error.kind == .throttled)
        #expect(error.message == "vaultIdentity: Slowly.")
        #expect(error.retryAfter == .seconds(7))
        #expect(error.isRetryable)
    }

    @Test func `a nested chain without a credential is skipped`() async throws {
        let inner = try chain(fake("inner", outcome: FakeCredential.unavailable))
        let outer = try MSALChainedCredential(
            [.credential(inner, named: "team"), .credential(fake("own", outcome: .success("t")), named: "own")],
            environment: .double()
        )

        #expect(try await outer.token(for: vault).accessToken == "t")
        #expect(outer.winner == "own")
    }

    @Test func `an empty chain is rejected`() async throws {
        let error = try await failure { () async throws(MSALTokenError) in
            try MSALChainedCredential([], environment: .double())
        }

        #expect(error.kind == .configuration)
    }

    @Test func `a managed identity is detected in a chain of the program's own`() async throws {
        let environment = ServerEnvironment.double(
            metadataTransport: ScriptedTransport(.failure(.timedOut, to: "169.254.169.254"))
        )
        let application = MSALManagedIdentityApplication(environment: environment)
        let chain = try MSALChainedCredential(
            [.credential(application), .credential(fake("own", outcome: .success("t")))],
            environment: environment
        )

        #expect(try await chain.token(for: vault).accessToken == "t")
    }

    @Test func `a machine without an identity is skipped, and one without the requested identity is not`()
        async throws
    {
        let refusal = #"{"error":"invalid_request","error_description":"Identity not found"}"#
        func environment(_ variables: [String: String]) -> ServerEnvironment {
            .double(
                variables: variables,
                metadataTransport: ScriptedTransport(.json(Self.present, status: 400), .json(refusal, status: 400))
            )
        }
        let any = try MSALDefaultCredential(environment: environment([:]))
        let named = try MSALDefaultCredential(environment: environment(["AZURE_CLIENT_ID": "2fa91425"]))

        let nobody = try await failure { () async throws(MSALTokenError) in try await any.token(for: vault) }
        let wrong = try await failure { () async throws(MSALTokenError) in try await named.token(for: vault) }

        #expect(nobody.kind == .noCredential)
        #expect(wrong.kind == .identityNotAssigned)
        #expect(wrong.message.contains("AZURE_CLIENT_ID"))
    }

    @Test(.enabled(if: MetadataProbing.assetTag != nil, "The system shows the tag in no file."))
    func `the asset tag of another manufacturer makes the probe unnecessary`() async throws {
        var probe = MSALMetadataProbe()
        probe.readsAssetTag = true
        let tag = try #require(MetadataProbing.assetTag)
        let transport = ScriptedTransport(.json(Self.present, status: 400))
        let foreign = ServerEnvironment.double(files: MemoryFiles([tag: Data("No Asset Tag\n".utf8)]))
        let azure = ServerEnvironment.double(
            files: MemoryFiles([tag: Data("7783-7084-3265-9085-8269-3286-77\n".utf8)]),
            metadataTransport: transport
        )

        #expect(try await MetadataProbing().presence(probe, in: foreign) == .silent)
        #expect(try await MetadataProbing().presence(probe, in: azure) == .present)
    }
}
