// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Access tokens that an API receives.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "validate"))
    func `a token is accepted, or rejected for its first fault`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let api = try APIDouble(testCase)
        let token = try #require(testCase["token"]?.string)

        // The second time the token comes from memory, which must not change the result.
        for _ in 0..<2 {
            await api.expectOutcome(of: testCase) { () async throws(MSALTokenRejection) in
                try await api.validator.principal(
                    of: token,
                    proof: nil,
                    request: MSALRequestFacts(),
                    requiring: api.requirement
                )
            }
        }
        #expect(api.issuer.strangeRequests == [])
        // Metadata and keys are requested once, and nothing else is.
        #expect(Set(api.issuer.requests).count == api.issuer.requests.count)
        testCase.output.passOver("fetches")
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "validate-pop"))
    func `a signed request is accepted for itself only`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let api = try APIDouble(testCase)
        let proof = try #require(testCase["proof"]?.string)
        let facts = try #require(testCase.input.object("request"))
        let port = facts["port"]?.double ?? 443
        var request = MSALRequestFacts(
            method: facts["method"]?.string ?? "",
            host: (facts["host"]?.string ?? "") + (port == 443 ? "" : ":\(Int(port))"),
            path: facts["path"]?.string ?? "",
            query: facts["query"]?.string
        )
        request.headers = facts.named("headers").map { (name: $0.key, value: $0.value) }
        request.body = facts["body"]?.string.map { Data($0.utf8) }

        await api.expectOutcome(of: testCase) { [request] () async throws(MSALTokenRejection) in
            try await api.validator.validate(
                authorization: ["PoP \(proof)"],
                request: request,
                requiring: api.requirement
            )
        }
        #expect(api.issuer.strangeRequests == [])
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "bearer-header"))
    func `a header has exactly one token`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        var lines = testCase.input.texts("lines")
        if let generated = testCase.input.object("generated") {
            let letters = String(repeating: "a", count: Int(generated["letters"]?.double ?? 0))
            lines.append("\(generated["scheme"]?.string ?? "") \(letters)")
        }

        do throws(MSALTokenRejection) {
            let token = try AuthorizationHeader.credential(of: lines, takingProofs: false).token
            #expect(token == testCase.expected("token")?.string)
        } catch {
            #expect(testCase.expected("token") == nil)
            #expect((testCase.expected("absent") == .bool(true)) == (error.code == .absent))
            if let code = testCase.expected("reject")?.string { #expect(error.code.rawValue == code) }
            #expect(testCase.expected("status").map { $0.double == Double(error.status) } ?? true)
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "www-authenticate"))
    func `a response reveals no more than necessary`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let code = try #require(testCase["reject"]?.string.flatMap(MSALTokenRejection.Code.init))

        expectAnswer(of: MSALTokenRejection(code), in: testCase)
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .tokenValidation, ops: "challenge"))
    func `claims are requested only from clients that support them`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let api = try APIDouble(testCase)
        let token = UnverifiedToken(
            claims: ["azp": .string("app"), "scp": .string("Orders.Read"), "exp": .integer(1_790_003_000)]
                .merging(testCase["token"]?.object ?? [:]) { _, own in own }
        )
        let principal = MSALPrincipal(
            try MSALValidatedToken(checkedElsewhere: token.text),
            of: SilentAPI(authority: try api.configuration.authority.authority())
        )
        let refusal = testCase.input.object("error")
        refusal?.passOver("error")
        let claims = refusal.map { $0["claims"]?.string } ?? testCase["claims"]?.text
        let challenge = MSALClaimsChallenge(passingOn: claims)

        // A challenge that is already satisfied sends nothing.
        if testCase.expected("status") == .null {
            #expect(challenge.isMet(by: principal))
        } else {
            expectAnswer(of: MSALTokenRejection(challenge, for: principal), in: testCase)
        }
    }

    private func expectAnswer(of rejection: MSALTokenRejection, in testCase: ServerCase) {
        #expect(testCase.expected("status")?.double == Double(rejection.status))
        #expect(rejection.authenticate.first == testCase.expected("header")?.string)
        #expect(rejection.authenticate.count <= 1)
        #expect(rejection.retryAfter?.components.seconds == testCase.expected("retryAfter")?.double.map { Int64($0) })
    }
}

/// An API without a log and without metadata.
private final class SilentAPI: CalledAPI {
    let authority: Authority

    init(authority: Authority) { self.authority = authority }

    func answer(
        _ rejection: MSALTokenRejection,
        to token: String?,
        requiring requirement: MSALRequirement
    ) -> MSALTokenRejection { rejection }
}
