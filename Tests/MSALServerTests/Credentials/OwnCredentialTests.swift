// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import Testing

/// What a program's own credential can report, and how a chain uses it.
struct OwnCredentialTests {
    private struct Own: MSALTokenCredential {
        let result: Result<MSALTokenResult, MSALTokenError>

        func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
            try result.get()
        }
    }

    private let scope = "https://vault.azure.net/.default"
    private let claims = #"{"access_token":{"nbf":{"essential":true}}}"#

    @Test func `a failure contains the details from the service, and a chain keeps them`() async throws {
        let id = UUID()
        let own = MSALTokenError(
            kind: .authenticationFailed,
            message: "The vault is sealed.",
            isRetryable: true,
            claims: claims,
            retryAfter: .seconds(7),
            correlationID: id
        )
        let chain = try MSALChainedCredential([.credential(Own(result: .failure(own)), named: "vault")])

        let error = try await failure { () async throws(MSALTokenError) in try await chain.token(for: scope) }

        #expect(error.message == "vault: The vault is sealed.")
        #expect(error.isRetryable)
        #expect(error.retryAfter == .seconds(7))
        #expect(error.correlationID == id)
        #expect(error.claims == claims)
        #expect((error as NSError).userInfo["MSALOAuthClaimsKey"] as? String == claims)
    }

    @Test func `a failure without details is as retryable as its kind`() {
        #expect(!MSALTokenError(kind: .authenticationFailed, message: "No.").isRetryable)
        #expect(MSALTokenError(kind: .network, message: "No.").isRetryable)
    }

    @Test func `a token has its refresh time`() async throws {
        let (end, refresh) = (Date(timeIntervalSince1970: 2_000), Date(timeIntervalSince1970: 1_000))
        let token = MSALTokenResult(accessToken: "a", expiresOn: end, refreshOn: refresh)
        let chain = try MSALChainedCredential([.credential(Own(result: .success(token)))])

        #expect(try await chain.token(for: scope).refreshOn == refresh)
        #expect(MSALTokenResult(accessToken: "a", expiresOn: end).refreshOn == nil)
    }

    @Test func `a token can state that it came from the credential's own cache`() async throws {
        var token = MSALTokenResult(accessToken: "a", expiresOn: Date(timeIntervalSince1970: 2_000))
        #expect(token.source == .service)

        token.source = .cache
        let chain = try MSALChainedCredential([.credential(Own(result: .success(token)))])

        #expect(try await chain.token(for: scope).source == .cache)
    }
}
