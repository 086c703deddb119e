// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// The signing keys of issuers.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "keys"))
    func `keys are fetched when they are needed, and only then`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let steps = testCase.input.objects("steps")
        let replay = try KeyReplay(steps.first?.object("settings"))

        for (step, expected) in zip(steps, testCase.output.objects("steps")) {
            try await replay.run(step, expecting: expected)
        }
    }
}

/// An API with one clock, and an issuer that responds as the steps specify.
private struct KeyReplay {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    private let time = ManualTime(now: KeyReplay.start)
    private let issuer: TestIssuer
    private let validator: MSALTokenValidator

    init(_ settings: CaseMembers?) throws {
        let issuer = TestIssuer()
        self.issuer = issuer
        var configuration = MSALTokenValidatorConfiguration(
            clientId: TestIssuer.client,
            authority: .tenant(TestIssuer.tenant)
        )
        if let grace = settings?["vanishedKeyGrace"]?.double { configuration.vanishedKeyGrace = .seconds(grace) }
        validator = try MSALTokenValidator([configuration]) { [time] _ in
            ServerEnvironment.double(time: time, transport: issuer)
        }
    }

    func run(_ step: CaseMembers, expecting expected: CaseMembers) async throws {
        let at = Self.start.addingTimeInterval(step["at"]?.double ?? 0)
        time.advance(by: .seconds(at.timeIntervalSince(time.now)))
        if let address = step["jwksUri"]?.string { issuer.serve(keysAt: address) }
        if let served = step.raw("served") { try serve(served) }
        let token = try IssuerKey(step["tokenKey"]?.string ?? "").token(at: at)
        let before = issuer.requests.count
        let background = Int(step["background"]?.double ?? 0)
        // Background work of a request must not delay it: its response arrives after that of the request.
        let flag = background > 0 && expected["fetches"]?.double == 0 ? AtomicFlag() : nil
        issuer.hold(until: flag)

        await withTaskGroup { group in
            for _ in 0..<Int(step["callers"]?.double ?? 1) {
                group.addTask { await expectOutcome(of: token, expected) }
            }
        }
        flag?.set()
        await validator.untilRefreshed()
        issuer.hold(until: nil)

        let fetches = Int(expected["fetches"]?.double ?? 0)
        #expect(issuer.requests.count - before == fetches + background)
    }

    private func expectOutcome(of token: String, _ expected: CaseMembers) async {
        do throws(MSALTokenRejection) {
            _ = try await validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
            #expect(expected["accept"] == .bool(true))
        } catch {
            #expect(error.code.rawValue == expected["reject"]?.string)
            #expect(expected["accept"] == nil)
        }
    }

    /// A list of key IDs, a fault, or a key as it is published. A fault of the connection or of the server also affects
    /// the metadata.
    private func serve(_ value: JSONValue) throws {
        issuer.serve(metadata: nil)
        switch value {
        case .array(let keys):
            issuer.serve(keys: .keys(try keys.map { try $0.string.map { try IssuerKey($0).published } ?? $0 }))
        case .object:
            issuer.serve(keys: .keys([value]))
        case .string(let fault):
            let answer = try answer(fault)
            issuer.serve(keys: answer)
            if case .failure = answer { issuer.serve(metadata: answer) }
        default:
            Issue.record("No test supports \(value.text).")
        }
    }

    private func answer(_ fault: String) throws -> TestIssuer.Answer {
        let words = fault.split(separator: " ").map(String.init)
        switch words.first {
        case "connectionRefused": return .failure(.cannotConnect)
        case "timeout": return .failure(.timedOut)
        case "tooLarge", "responseTooLarge": return .failure(.responseTooLarge(limit: 1_048_576))
        case "status": return .response(HTTPResponse(status: try #require(words.dropFirst().first.flatMap { Int($0) })))
        case "redirect":
            return .response(HTTPResponse(status: 302, headers: ["Location": words.dropFirst().joined()]))
        case "text/html":
            let page = Data("<!doctype html><title>Sign in</title>".utf8)
            return .response(HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: page))
        case "empty": return .response(HTTPResponse(status: 200))
        default:
            Issue.record("No test supports the fault \(fault).")
            return .response(HTTPResponse(status: 500))
        }
    }
}
