// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Synchronization
import TestSupport
import Testing

@testable import MSALServer

// Credential chain: the probe and the command lines.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "probe"))
    func `a chain probes for the metadata service`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        // The request after a probe is retried after pauses, for which the clock is not moved.
        let time = ManualTime(
            now: Date(timeIntervalSince1970: testCase.fixtures.object?["now"]?.double ?? 0),
            skipsSleeps: true
        )
        let answers = testCase["answers"]?.array ?? [testCase["answer"] ?? .null]
        let transport = try ProbedMachine(answers)
        let environment = ServerEnvironment.double(
            variables: testCase.machineVariables,
            time: time,
            metadataTransport: transport
        )
        if testCase.expected("probe") == .bool(false) {
            let credential = try MSALDefaultCredential(environment: environment)
            // The script responds to nothing, so no credential returns a token.
            _ = try? await credential.token(for: "https://vault.azure.net/.default")
            #expect(
                !transport.messages.contains { $0.headers["Metadata"] == nil && $0.url.host() == "169.254.169.254" }
            )
            return
        }
        var probe = MSALMetadataProbe()
        if let timeout = testCase["timeout"]?.double { probe.timeout = .seconds(timeout) }
        let probing = MetadataProbing.of(environment)
        let asksAt = testCase["asksAt"]?.array?.compactMap(\.double)
        let asks = asksAt?.count ?? Int(testCase["asks"]?.double ?? 1)
        var found: [Bool] = []
        for ask in 0..<asks {
            let start = testCase.fixtures.object?["now"]?.double ?? 0
            let wait = start + (asksAt?[ask] ?? 0) - time.now.timeIntervalSince1970
            if wait > 0 { time.advance(by: .seconds(wait)) }
            found.append(try await probing.presence(probe, in: environment) == .present)
        }

        if let expected = testCase.expected("presentEach")?.array {
            #expect(found.map(JSONValue.bool) == expected)
        } else {
            #expect(found.map(JSONValue.bool) == found.map { _ in testCase.expected("present") })
        }
        if let attempts = testCase.expected("attempts")?.double { #expect(transport.messages.count == Int(attempts)) }
        if let limit = testCase.expected("withinSeconds")?.double {
            #expect(transport.messages.allSatisfy { ($0.timeout ?? .seconds(300)) <= .seconds(limit) })
        }
        if let request = testCase.output.object("request") {
            let message = try #require(transport.messages.first)
            #expect(message.method == request["method"]?.string)
            for name in request.texts("headersAbsent") { #expect(message.headers[name] == nil) }
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "cli-output"))
    func `a command line is called for a token`(_ testCase: ServerCase) async throws {
        guard let zone = testCase["TZ"]?.string else { return try await Self.ask(testCase) }
        // The C library reads the time zone of a process.
        await #expect(processExitsWith: .success) { [zone = zone as String, id = testCase.id as String] in
            setenv("TZ", zone, 1)
            let cases = ServerConformanceFolder.shared.cases(of: .credentialChain, ops: "cli-output")
            let testCase = try #require(cases.first { $0.id == id })
            #expect(testCase["TZ"]?.string == zone)
            try await ServerConformance.ask(testCase)
        }
    }

    private static func ask(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let commands = ScriptedCommands(testCase)
        let variables = testCase.machineVariables
        let tool: MSALCommandLineTool =
            switch testCase["tool"]?.string {
            case "msal": .msal
            case "azd": .azureDeveloperCLI
            default: .azureCLI
            }
        let time = ManualTime(now: Date(timeIntervalSince1970: testCase.fixtures.object?["now"]?.double ?? 0))
        let credential = MSALCommandLineCredential(
            tool,
            tenant: testCase["tenant"]?.string,
            subscription: testCase["subscription"]?.string,
            environment: .double(variables: variables, time: time, commands: commands)
        )
        var request = MSALTokenRequest(scopes: [try #require(testCase["scope"]?.string)])
        request.options.claims = testCase["claims"]?.string

        do throws(MSALTokenError) {
            let result = try await credential.token(for: request)
            #expect(result.accessToken == testCase.expected("token")?.string)
            if let end = testCase.expected("expiresOn")?.double {
                #expect(result.expiresOn.timeIntervalSince1970 == end)
            }
        } catch {
            let expected = testCase.expected("error")?.string
            #expect(error.kind.rawValue == expected ?? "credentialUnavailable")
            if let words = testCase.expected("unavailable")?.string { #expect(error.message.contains(words)) }
            #expect(error.mentions(testCase.expected("messageContains")?.string))
            for text in testCase.output.texts("messageAbsent") {
                #expect(!error.message.contains(text))
                #expect(!"\(error) \(error.userInfo)".contains(text))
            }
        }
        // SystemCommandsTests tests with real programs how they are started and ended.
        let usual: [String: JSONValue] = [
            "shell": .bool(false), "stdin": .string("null"), "cwdWritable": .bool(false), "childEnded": .bool(true),
        ]
        for (name, value) in usual { #expect(testCase.expected(name) ?? value == value) }
        if testCase.expected("started") == .bool(false) { #expect(commands.commands.isEmpty) }
        if let words = testCase.expected("argv")?.array?.compactMap(\.string) {
            #expect(commands.commands.map { [$0.program] + $0.arguments } == [words])
        }
        let expected = testCase.output.named("environmentHas")
        if !expected.isEmpty {
            let given = try #require(commands.commands.first?.variables)
            #expect(expected.allSatisfy { given[$0.key] == $0.value })
        }
    }
}

/// A machine whose metadata service responds as a case specifies.
private final class ProbedMachine: HTTPTransport {
    private let answers: [CaseAnswer]
    private let received = Mutex<[HTTPMessage]>([])

    init(_ answers: [JSONValue]) throws {
        // A bare status is from the service, which writes JSON.
        let refusal = #"{"error":"invalid_request","error_description":"Required metadata header not specified"}"#
        self.answers = try answers.map { try CaseAnswer($0 == .null ? .string("timeout") : $0, body: refusal) }
    }

    var messages: [HTTPMessage] { received.withLock { $0 } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let number = received.withLock { messages in
            messages.append(message)
            return messages.count - 1
        }
        let answer = answers[min(number, answers.count - 1)]
        guard answer.delay <= message.timeout ?? .seconds(300) else {
            throw TransportError(.timedOut, message: "As the case says.")
        }
        return try answer.result.get()
    }
}

extension ScriptedCommands {
    /// The program of a case.
    convenience init(_ testCase: ServerCase) {
        let tool = testCase["tool"]?.string ?? "az"
        guard testCase["notFound"] != .bool(true) else {
            self.init()
            return
        }
        let letters = testCase["stdoutLetters"]?.double.map { String(repeating: "x", count: Int($0)) }
        let output = Data((testCase["stdout"]?.string ?? letters ?? "").utf8)
        let errors = Data((testCase["stderr"]?.string ?? "").utf8)
        let status = Int32(testCase["exit"]?.double ?? 0)
        let hangs = ["timeout", "hangs", "hang", "timedOut"].contains { testCase[$0] != nil }
        self.init([
            tool: { command in
                if hangs { return .failure(.timeout) }
                if output.count > command.outputLimit { return .failure(.tooMuchOutput) }
                return .success(CommandOutput(status: status, output: output, errors: errors))
            }
        ])
    }
}
