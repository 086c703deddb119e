// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Credential chain: members, decisions, environment, tenants.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "chain"))
    func `the default chain has its members`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        var options = MSALDefaultCredentialOptions()
        options.exclude = Set(testCase.texts("exclude").compactMap(MSALDefaultCredentialOptions.Member.init(rawValue:)))
        options.requireVariable = testCase["requireVariable"] == .bool(true)
        if testCase["includeInteractive"] == .bool(true) {
            options.interactive = FakeCredential("interactive", asked: Questions(), outcome: .success("t"))
        }

        do throws(MSALTokenError) {
            let credential = try MSALDefaultCredential(
                options,
                environment: .double(variables: testCase.machineVariables)
            )
            #expect(credential.members == testCase.expected("members")?.array?.compactMap(\.string))
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
            #expect(error.mentions(testCase.expected("names")?.string))
            #expect(error.mentions(testCase.expected("hint")?.string))
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "decide"))
    func `the chain selects by the results of its members`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let outcomes = try #require(testCase["outcomes"]?.object)
        let players = ChainPlayers(testCase)
        let lines = Lines()
        var request = MSALTokenRequest(scopes: [try #require(testCase.fixtures.object?["scope"]?.string)])
        if testCase["secondCall"] == .bool(true) {
            players.play(before: testCase)
            let first = await players.ask(request)
            let isNobody = testCase.input.raw("winner") == .null
            #expect(isNobody == ((try? first.get()) == nil))
            players.questions.forget()
        }
        players.play(outcomes)
        request.options.tenant = testCase["tenant"]?.string
        request.options.claims = testCase["claims"]?.string

        let results = try await lines.heard { [request] in
            try await withThrowingTaskGroup(of: FakeCredential.Outcome.self) { group in
                let callers = Int(testCase["callers"]?.double ?? 1)
                for _ in 0..<callers { group.addTask { await players.ask(request) } }
                // All wait for the one search before it may end.
                if callers > 1 {
                    try await until(players.chain.callers == callers)
                    players.gate.open()
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        for result in results {
            switch result {
            case .success(let name): #expect(name == testCase.expected("from")?.string)
            case .failure(let error):
                #expect(error.kind.rawValue == testCase.expected("error")?.string)
                #expect(error.mentions(testCase.expected("member")?.string))
                for name in testCase.output.texts("reasons") {
                    #expect(error.message.contains("\n  \(name): "))
                }
            }
        }
        #expect(players.asked(testCase) == testCase.output.texts("asked"))
        if testCase.expected("claimsSent") == .bool(true) {
            #expect(players.questions.claims == [testCase["claims"]?.string])
        }
        if testCase.expected("logged") == .string("warning") { #expect(!lines.texts(of: .warning).isEmpty) }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "environment"))
    func `variables describe an identity`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let files = MemoryFiles(Dictionary(testCase.texts("files").map { ($0, Data()) }) { first, _ in first })
        let environment = ServerEnvironment.double(variables: testCase.machineVariables, files: files)
        guard testCase.expected("credential") != nil else {
            let credential = MSALEnvironmentCredential(environment: environment)
            let error = try await failure { () async throws(MSALTokenError) in
                try await credential.token(for: "https://vault.azure.net/.default")
            }
            let isUnavailable = testCase.expected("unavailable") == .bool(true)
            let kind = isUnavailable ? "credentialUnavailable" : testCase.expected("error")?.string
            #expect(error.kind.rawValue == kind)
            #expect(error.mentions(testCase.expected("names")?.string))
            return
        }
        let identity = try EnvironmentIdentity(environment)
        let (name, sendsChain) =
            switch identity.proof {
            case .secret: ("clientSecret", nil as Bool?)
            case .certificate(_, _, let sendsChain): ("certificate", sendsChain)
            case .password: ("usernamePassword", nil)
            }
        #expect(name == testCase.expected("credential")?.string)
        if let expected = testCase.expected("tenant")?.string { #expect(identity.tenant == expected) }
        if let expected = testCase.expected("clientId")?.string { #expect(identity.clientID == expected) }
        if let expected = testCase.expected("authority")?.string {
            #expect(identity.authority.absoluteString == expected)
        }
        if let expected = testCase.expected("deprecated") {
            let lines = Lines()
            _ = try await lines.heard { try identity.credential(with: MSALCredentialOptions(), in: environment) }
            #expect(.bool(lines.texts(of: .warning).contains { $0.contains("deprecated") }) == expected)
        }
        if let expected = testCase.expected("sendChain") { #expect(expected == .bool(sendsChain ?? false)) }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "tenant"))
    func `a credential gets tokens of the allowed tenants`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let policy = TenantPolicy(
            configured: testCase["configured"]?.string,
            additional: testCase.texts("allowed"),
            environment: .double(variables: testCase.machineVariables)
        )

        do throws(MSALTokenError) {
            let tenant = try policy.tenant(testCase["asked"]?.string)
            #expect(tenant == testCase.expected("tenant")?.string)
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
        }
    }
}

/// The members of a chain whose results are in a case.
private struct ChainPlayers {
    let questions = Questions()
    let gate = Gate()
    let chain: MSALChainedCredential
    private let fakes: [FakeCredential]

    init(_ testCase: ServerCase) {
        let names = testCase.fixtures.object?["members"]?.array?.compactMap(\.string) ?? []
        let (questions, gate) = (questions, gate)
        if Int(testCase["callers"]?.double ?? 1) == 1 { gate.open() }
        let fakes = names.map {
            FakeCredential($0, asked: questions, outcome: FakeCredential.unavailable, gate: gate)
        }
        self.fakes = fakes
        let outcomes = testCase["outcomes"]?.object ?? [:]
        // The names of the command lines end this way. Their failure does not stop the default chain.
        let members = fakes.map { fake in
            MSALChainMember(fake.name) { environment, _ in
                let isHalfSet = outcomes[fake.name]?.object?["present"] != nil
                return ChainLink(
                    fake.name,
                    credential: isHalfSet ? MSALEnvironmentCredential(environment: environment) : fake,
                    isOptional: fake.name.hasSuffix("CLI")
                )
            }
        }
        let present = outcomes.values.flatMap { $0.object?["present"]?.array?.compactMap(\.string) ?? [] }
        let environment = ServerEnvironment.double(
            variables: Dictionary(present.map { ($0, "x") }) { first, _ in first }
        )
        guard let chain = try? MSALChainedCredential(members, environment: environment) else {
            preconditionFailure("The fixtures have no members.")
        }
        self.chain = chain
    }

    func play(_ outcomes: [String: JSONValue]) {
        for fake in fakes {
            switch outcomes[fake.name]?.string {
            case "token": fake.answer(.success(fake.name))
            case "failed": fake.answer(FakeCredential.failed)
            case "cancelled", "canceled": fake.answer(.failure(.cancellation))
            default: fake.answer(FakeCredential.unavailable)
            }
        }
    }

    /// The results of the call before the one that a case tests.
    func play(before testCase: ServerCase) {
        let winner = testCase["winner"]?.string ?? testCase.expected("from")?.string
        let nobody = testCase.input.raw("winner") == .null
        play(nobody ? [:] : [winner ?? "": .string("token")])
    }

    func ask(_ request: MSALTokenRequest) async -> FakeCredential.Outcome {
        do throws(MSALTokenError) {
            return .success(try await chain.token(for: request).accessToken)
        } catch {
            return .failure(error)
        }
    }

    /// The called credentials. The real credential of an incomplete environment records nothing.
    func asked(_ testCase: ServerCase) -> [String] {
        let silent = (testCase["outcomes"]?.object ?? [:]).filter { $0.value.object?["present"] != nil }.keys
        return Array(silent) + questions.names
    }
}

extension ServerCase {
    /// The texts of an array.
    func texts(_ name: String) -> [String] { input.texts(name) }

    /// The variables of the machine.
    var machineVariables: [String: String] { input.named("environment") }
}

extension MSALTokenError {
    /// Whether the message contains these texts. A case without expectations accepts any message.
    func mentions(_ words: String?) -> Bool { words.map { message.contains($0) } ?? true }
}
