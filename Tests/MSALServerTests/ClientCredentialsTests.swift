// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import TestSupport
import Testing

struct ClientCredentialsTests {
    private let tenant = "73ab4876-7734-47c1-87fd-e805ec99108d"
    private let graph = "https://graph.microsoft.com/.default"
    private let time = ManualTime()

    private func application(
        _ responses: [ScriptedTransport.Response]
    ) throws -> (
        MSALConfidentialClientApplication, ScriptedTransport
    ) {
        let transport = ScriptedTransport(responses)
        let configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant(tenant),
            credential: .secret("s~ecret")
        )
        let environment = ServerEnvironment.double(time: time, transport: transport)
        return (
            try MSALConfidentialClientApplication(configuration: configuration, environment: environment), transport
        )
    }

    @Test func `a second call is served from memory`() async throws {
        let (application, transport) = try application([
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#, to: "/oauth2/v2.0/token")
        ])

        let first = try await application.acquireTokenForClient(scopes: [graph])
        let second = try await application.acquireTokenForClient(scopes: [graph])

        #expect(first.accessToken == "a1")
        #expect(first.source == .service)
        #expect(first.reason == .noCachedToken)
        #expect(second.accessToken == "a1")
        #expect(second.source == .cache)
        try transport.verify()
    }

    @Test(arguments: [
        #"{"access_token":"a1\r\nX-Evil: 1","expires_in":3600}"#,
        #"{"access_token":"a1","token_type":"Odd\r\nERROR forged","expires_in":3600}"#,
        #"{"access_token":"a 1","expires_in":3600}"#,
    ])
    func `a token that cannot be sent in a header is rejected, with a one-line message`(_ body: String) async throws {
        let (application, _) = try application([.json(body)])

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph])
        }

        #expect(error.kind == .invalidResponse)
        #expect(!error.message.contains { $0.isNewline } && !error.message.contains("X-Evil"))
    }

    @Test func `text of an error response cannot add a second line`() async throws {
        let body =
            #"{"error":"odd\r\nERROR forged","error_description":"AADSTS1: a\u001b[31m\r\nTrace ID: 1\r\nCorrelation ID: 2"}"#
        let (application, _) = try application([.json(body, status: 400)])

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph])
        }

        #expect(error.message == "AADSTS1: a<U+001B>[31m")
        #expect(error.oauthError == "odd ERROR forged")
        #expect(!"\(error)".contains { $0.isNewline })
    }

    @Test func `a wrong secret is reported with the service's code and a remedy`() async throws {
        let (application, _) = try application([
            .json(
                #"{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided.","error_codes":[7000215]}"#,
                status: 401
            )
        ])

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.acquireTokenForClient(scopes: [graph])
        }

        #expect(error.kind == .invalidClient)
        #expect(error.serviceCodes == [7_000_215])
        #expect(error.errorNumber == 7_000_215 && error.errorCause == "clientAuthentication")
        #expect(error.helpURL == URL(string: "https://login.microsoftonline.com/error?code=7000215"))
        #expect(error.localizedFailureReason?.contains("its credential is wrong") == true)
        #expect(error.userInfo["MSALErrorCauseKey"] as? String == "clientAuthentication")
        #expect(error.message.contains("Check the secret"))
        #expect((error as NSError).domain == "MSALErrorDomain")
        #expect((error as NSError).code == -50000)
    }

    @Test func `a program's own credential returns its token through a chain, or the next one is used`()
        async throws
    {
        struct Own: MSALTokenCredential {
            let result: Result<MSALTokenResult, MSALTokenError>

            func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
                try result.get()
            }
        }
        let end = Date(timeIntervalSince1970: 1_790_003_600)
        let absent = Own(result: .failure(MSALTokenError(kind: .credentialUnavailable, message: "Nobody is here.")))
        let present = Own(result: .success(MSALTokenResult(accessToken: "own", expiresOn: end, scopes: [graph])))

        let chain = try MSALChainedCredential([.credential(absent), .credential(present, named: "present")])
        let token = try await chain.token(for: graph)

        #expect(token.accessToken == "own")
        #expect(token.expiresOn == end)
        #expect(chain.winner == "present")
        #expect(!"\(token)".contains("own"))
    }

    @Test func `an error of this library can be caught as NSError`() async throws {
        let (application, _) = try application([])

        do {
            _ = try await application.acquireTokenForClient(scopes: [])
            Issue.record("No error was thrown.")
        } catch let error as NSError {
            #expect(error.domain == "MSALErrorDomain")
            #expect((error as? MSALTokenError)?.kind == .invalidScopes)
        }
    }
}
