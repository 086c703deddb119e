// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct AssertionCallbackTests {
    private let time = ManualTime()

    private func proof(
        of credential: MSALClientCredential,
        for context: MSALAssertionContext
    ) async throws(MSALTokenError) -> ClientProof {
        try await credential.open(.double(time: time)).proof(for: context)
    }

    private func refusal(
        of credential: MSALClientCredential,
        for context: MSALAssertionContext
    ) async throws -> MSALTokenError {
        try await failure { () async throws(MSALTokenError) in try await proof(of: credential, for: context) }
    }

    @Test func `an assertion that expired yesterday is not sent, and one that expired a minute ago is`() async throws {
        let now = time.now
        let context = try MSALAssertionContext.example()
        let old = MSALClientCredential.assertion { _ in MSALClientAssertion("a.b.c", expiresOn: now - 86_400) }
        let late = MSALClientCredential.assertion { _ in MSALClientAssertion("a.b.c", expiresOn: now - 60) }

        #expect(try await refusal(of: old, for: context).kind == .credentialUnavailable)
        #expect(try await proof(of: late, for: context).assertion?.exposed == "a.b.c")
    }

    @Test func `a callback that hangs is abandoned at its time limit`() async throws {
        let context = try MSALAssertionContext.example()
        let hanging = MSALClientCredential.assertion(timeLimit: .seconds(5)) { _ in
            await Self.forever()
            return MSALClientAssertion("late")
        }

        let caller = Task { try await refusal(of: hanging, for: context) }
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(5))

        let error = try await caller.value
        #expect(error.kind == .credentialUnavailable)
        #expect(error.isRetryable)
    }

    @Test func `a callback that hangs does not block a canceled caller`() async throws {
        let context = try MSALAssertionContext.example()
        let hanging = MSALClientCredential.assertion { _ in
            await Self.forever()
            return MSALClientAssertion("late")
        }

        let caller = Task { try await refusal(of: hanging, for: context) }
        await time.untilSomebodySleeps()
        caller.cancel()

        #expect(try await caller.value.kind == .cancelled)
    }

    @Test func `binding to a certificate must be allowed`() async throws {
        let certificate = try CertificateFixture.leaf()
        let context = try MSALAssertionContext.example()
        let callback: @Sendable (MSALAssertionContext) async throws -> MSALClientAssertion = { _ in
            MSALClientAssertion("a.b.c", certificate: certificate)
        }

        #expect(try await refusal(of: .assertion(callback), for: context).kind == .configuration)
        let proof = try await proof(of: .assertion(bindsToCertificate: true, callback), for: context)
        var form = FormBody()
        proof.apply(to: &form)

        #expect(String(decoding: form.data, as: UTF8.self).contains("client-assertion-type%3Ajwt-pop"))
        #expect(proof.certificate?.thumbprint == certificate.thumbprint)
    }

    @Test func `the text of an assertion is not part of descriptions`() {
        let assertion = MSALClientAssertion("header.payload.signature")
        var shown = "\(assertion)"
        dump(assertion, to: &shown)

        #expect(!shown.contains("payload"))
    }

    /// Ignores cancellation.
    private static func forever() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}
