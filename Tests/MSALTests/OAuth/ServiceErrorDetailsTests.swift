// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The details of the service's errors reach the app: claims, messages and codes.
struct ServiceErrorDetailsTests {
    private static let words = "AADSTS50076: Use multifactor authentication.\r\nTrace ID: 1\r\nTimestamp: 2"
    /// As a service may write it: the app gets this text, not an equivalent one.
    private static let claims = #"{ "access_token": {"capolids":{"essential":true, "values":["c1"]}} }"#

    private static let refusal: JSONValue = .object([
        "error": .string("interaction_required"), "suberror": .string("basic_action"),
        "error_codes": .array([.integer(50_076)]), "error_description": .string(words), "claims": .string(claims),
    ])

    private func silentError(_ bench: ClientBench) async throws -> NSError {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        return try #require(
            await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }
        ).nsError
    }

    private func interactiveError(_ bench: ClientBench) async throws -> NSError {
        try #require(
            await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(Contoso.interactive()) }
        ).nsError
    }

    @Test func `the claims of a rejected refresh reach the app unchanged, as does a repeated error`()
        async throws
    {
        let bench = ClientBench(service: StandInService(.reply(.json(Self.refusal, status: 400))))

        for _ in 0..<2 {
            let error = try await silentError(bench)

            #expect(error.code == MSALError.interactionRequired.rawValue)
            #expect(error.userInfo[MSALOAuthClaimsKey] as? String == Self.claims)
            #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "basic_action")
            #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [50_076])
        }
    }

    @Test func `the claims of a rejected redemption reach the app unchanged`() async throws {
        let bench = ClientBench(service: StandInService(.reply(.json(Self.refusal, status: 400))))

        let error = try await interactiveError(bench)

        #expect(error.userInfo[MSALOAuthClaimsKey] as? String == Self.claims)
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "basic_action")
    }

    @Test func `the number with a known cause explains an error`() async throws {
        let members: JSONValue = .object([
            "error": .string("invalid_grant"),
            "error_codes": .array([.integer(1), .integer(53_003), .integer(50_076)]),
        ])
        let bench = ClientBench(service: StandInService(.reply(.json(members, status: 400))))

        let error = try await interactiveError(bench)

        #expect(error.userInfo[MSALErrorNumberKey] as? Int == 53_003)
        #expect(error.userInfo[MSALErrorCauseKey] as? String == "policy")
        #expect(
            error.userInfo[MSALErrorHelpURLKey] as? URL
                == URL(string: "https://login.microsoftonline.com/error?code=53003")
        )
        #expect(error.localizedFailureReason?.hasPrefix("A policy of the tenant forbids") == true)
        #expect(error.detail == MSALInternalError.internalErrorInvalidGrant.rawValue)
        #expect(error.localizedDescription == error.userInfo[MSALErrorDescriptionKey] as? String)
    }

    @Test func `a number without a known cause has a page, and an error without a number has none`() {
        var refusal = OAuthError(error: "invalid_grant")
        let none = AuthError(.tokenRefused(refusal), message: "Refused.").nsError
        refusal.codes = [1, 2]
        let unknown = AuthError(.tokenRefused(refusal), message: "Refused.").nsError

        #expect(unknown.userInfo[MSALErrorNumberKey] as? Int == 1)
        #expect((unknown.userInfo[MSALErrorHelpURLKey] as? URL)?.query() == "code=1")
        #expect(unknown.userInfo[MSALErrorCauseKey] == nil && unknown.localizedFailureReason == nil)
        #expect(none.userInfo[MSALErrorNumberKey] == nil && none.userInfo[MSALErrorHelpURLKey] == nil)
    }

    @Test(arguments: ServiceErrorCause.allCases)
    func `a cause is one sentence that names no command`(_ cause: ServiceErrorCause) {
        #expect(cause.text.hasSuffix(".") && !cause.text.contains("\n"))
        #expect(cause.text.firstMatch(of: /msal |--/) == nil)
    }

    @Test func `the texts of native authentication are visible lines, too`() throws {
        let evil = JSONValue.string("x\r\nERROR forged\u{1B}")
        let members = [
            "error", "suberror", "error_description", "error_uri", "trace_id", "timestamp", "correlation_id",
        ]
        .reduce(into: [:]) { $0[$1] = evil }

        let error = try #require(NativeAuth.ServerError(members, status: 400))

        let texts = [
            error.error, error.suberror, error.description, error.uri, error.traceID, error.timestamp,
            error.correlationID,
        ]
        #expect(texts.allSatisfy { $0 == "x ERROR forged<U+001B>" })
    }

    @Test func `claims in the form of an object are reported as its text`() {
        let error = OAuthError(members: [
            "error": .string("invalid_grant"), "claims": .object(["access_token": .object([:])]),
        ])

        #expect(error?.claims == #"{"access_token":{}}"#)
    }

    @Test func `a redirect with an error reports claims and code, too`() async throws {
        let bench = ClientBench(
            agent: StubAgent { visit, _ in
                [
                    "error": "interaction_required", "error_description": Self.words, "claims": Self.claims,
                    "state": visit.expectedState,
                ]
            }
        )

        let error = try await interactiveError(bench)

        #expect(error.userInfo[MSALOAuthClaimsKey] as? String == Self.claims)
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [50_076])
    }

    @Test(arguments: [503, 400, 401, 403, 429, 418])
    func `a response without an OAuth error keeps the service's message and codes`(_ status: Int) async throws {
        let members: JSONValue = .object([
            "error_description": .string("AADSTS90033: A transient error has occurred. Please try again."),
            "error_codes": .array([.integer(90_033)]),
        ])
        let bench = ClientBench()
        bench.service.setLast(.reply(.json(members, status: status)))

        let error = try await interactiveError(bench)

        #expect(error.detail == MSALInternalError.internalErrorUnhandledResponse.rawValue)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == String(status))
        #expect(
            error.userInfo[MSALErrorDescriptionKey] as? String
                == "AADSTS90033: A transient error has occurred. Please try again."
        )
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [90_033])
        #expect(error.userInfo[MSALOAuthErrorKey] == nil)
    }

    @Test func `an outage with an OAuth error keeps its message, and the error is not interpreted`() async throws {
        let members: JSONValue = .object([
            "error": .string("temporarily_unavailable"), "error_description": .string("AADSTS90033: Try again."),
        ])
        let bench = ClientBench()
        bench.service.setLast(.reply(.json(members, status: 503)))

        let error = try await interactiveError(bench)

        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == "AADSTS90033: Try again.")
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [90_033])
        #expect(error.userInfo[MSALOAuthErrorKey] == nil)
    }

    @Test func `a sign-in portal is suspected for pages, not for JSON`() {
        let json = HTTPResponse(status: 400, body: Data("{}".utf8)).refusal(from: "It")
        let page = HTTPResponse(status: 403, body: Data("<html>".utf8)).refusal(from: "It")

        #expect(json == "It responded with HTTP status 400 and gave no reason.")
        #expect(page.contains("sign-in portal"))
    }

    @Test(arguments: [(400, -42010), (404, -42010), (500, -42007)])
    func `metadata that are rejected report the service's message and code`(_ status: Int, _ detail: Int) async throws {
        let members: JSONValue = .object([
            "error": .string("invalid_tenant"), "error_description": .string("AADSTS90002: Tenant 'x' not found."),
            "error_codes": .array([.integer(90_002)]),
        ])
        let bench = ClientBench()
        bench.service.setDiscovery(.response(.reply(.json(members, status: status))))

        let error = try await interactiveError(bench)

        #expect(error.detail == detail)
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == "AADSTS90002: Tenant 'x' not found.")
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [90_002])
    }

    @Test(arguments: [
        ("AADSTS50011: The redirect URI", [50_011]), ("AADSTS: none", []), ("AADB2C90118: Forgotten", []), ("", []),
        ("See AADSTS50011", []), ("AADSTS99999999999999999999: too long", []),
    ])
    func `the code is the one at the start of the message`(_ text: String, _ codes: [Int]) {
        #expect(ServiceErrorDetails.codes(in: text) == codes)
    }
}
