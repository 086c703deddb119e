// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The issuer that a redirect names (RFC 9207).
struct ResponseIssuerTests {
    private static let ours = "https://login.microsoftonline.com/\(Contoso.tenant)/v2.0"

    /// A client whose browser returns a code and `iss`, and whose metadata contain `promise`.
    private func bench(
        iss: String?,
        promise: JSONValue = .null,
        response: [String: String] = ["code": "code-1"]
    ) -> ClientBench {
        let agent = StubAgent { visit, _ in
            var parameters = response
            (parameters["iss"], parameters["state"]) = (iss, visit.expectedState)
            return parameters
        }
        let bench = ClientBench(agent: agent)
        bench.service.setDiscovery(.overridden(["authorization_response_iss_parameter_supported": promise]))
        let now = bench.time.now
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                return .json(.object(Contoso.tokens(idToken: Contoso.idToken(claims))))
            }
        )
        return bench
    }

    @Test(arguments: [nil, "", ours])
    func `a redirect of the requested service is redeemed`(_ iss: String?) async throws {
        let result = try await bench(iss: iss).client.interactive.acquire(Contoso.interactive())

        #expect(result.account.homeAccountID == Contoso.homeAccountID)
    }

    @Test func `a redirect with the promised issuer is redeemed`() async throws {
        let bench = bench(iss: Self.ours, promise: .bool(true))

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.isPersisted)
    }

    @Test func `an error of another service is not attributed to the requested one`() async {
        let response = ["error": "access_denied", "error_description": "Call this number."]
        let bench = bench(iss: "https://login.evil.example/", response: response)

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(error?.message.contains("number") == false)
    }

    @Test(
        arguments: [
            ("https://login.evil.example/\(Contoso.tenant)/v2.0", .null), ("\(ours)/", .null),
            ("https://login.microsoftonline.com/{tenantid}/v2.0", .null),
            ("https://login.microsoftonline.com/v2.0", .null), (" ", .null), (nil, .bool(true)), ("", .bool(true)),
        ] as [(String?, JSONValue)]
    )
    func `a code of another service is not redeemed`(_ iss: String?, _ promise: JSONValue) async throws {
        let bench = bench(iss: iss, promise: promise)

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
        #expect(error?.message.contains("issuer") == true)
        #expect(bench.service.tokenRequests.isEmpty)
        #expect(try bench.records().isEmpty)
    }
}
