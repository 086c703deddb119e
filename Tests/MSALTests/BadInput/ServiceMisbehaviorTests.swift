// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

// Possible failures, and where the path from the public API to the documented error is tested:
//
// | input                                 | here                          | over TLS (Tests/EndToEndTests)        |
// | ------------------------------------- | ----------------------------- | ------------------------------------- |
// | wrong client ID                       | rejected: token endpoint      | BadInputTests: the platform's page    |
// | unknown tenant                        | rejected by discovery         | BadInputTests                         |
// | malformed authority or redirect, http | MachineFailureTests           | BadInputTests: http, foreign redirect |
// | unreachable or slow server            | each failure of the transport | ServiceFailureTests: silence, no port |
// | bad TLS                               | each failure of the transport | ServiceFailureTests, BadInputTests    |
// | HTML, truncated, huge, lacking        | no responses of the protocol  | ServiceFailureTests                   |
// | closed in the middle of a response    | connection lost               | ServiceFailureTests                   |
// | wrong state                           | yes                           | RedirectProcessTests                  |
// | wrong nonce, issuer, expired          | claims that do not fit        |                                       |
// | wrong signature                       | yes                           |                                       |
// | error=access_denied                   | yes                           | SignInTests: consent declined         |
// | no response from the browser          | MachineFailureTests           |                                       |
// | port in use                           | MachineFailureTests           |                                       |
// | clock hours off                       | yes                           | ServiceFailureTests: both ways        |
// | read-only home, unwritable store      | MachineFailureTests           | CommandTests: an untrusted store      |

/// The service responds incorrectly, through the public API. `BadInputBench.failure` checks what applies to every
/// failure.
struct ServiceMisbehaviorTests {
    /// A fault, and what an app must see.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var response: StandInService.Response
        var domain = MSALErrorDomain
        var code = -50000
        var detail: Int?
        var words: [String] = []

        var testDescription: String { name }

        static func transport(_ kind: TransportError.Kind, _ code: Int) -> Fault {
            Fault(name: "\(kind)", response: .failure(kind), domain: NSURLErrorDomain, code: code)
        }

        static func body(_ name: String, _ text: String, detail: Int = -42600, _ words: String...) -> Fault {
            let reply = HTTPResponse(status: 200, body: Data(text.utf8))
            return Fault(name: name, response: .reply(reply), detail: detail, words: words)
        }

        static func refusal(_ error: String, _ description: String, detail: Int) -> Fault {
            let members: JSONValue = .object([
                "error": .string(error), "error_description": .string(description),
            ])
            return Fault(
                name: error,
                response: .reply(.json(members, status: 400)),
                detail: detail,
                words: [String(description.prefix(12))]
            )
        }
    }

    private static let transportFaults: [Fault] = [
        .transport(.timedOut, -1001), .transport(.cannotFindHost, -1003), .transport(.cannotConnect, -1004),
        .transport(.connectionLost, -1005), .transport(.offline, -1009), .transport(.untrustedCertificate, -1202),
        .transport(.wrongHostName, -1202), .transport(.certificateExpired, -1201), .transport(.tlsHandshake, -1200),
        .transport(.badResponse, -1011), .transport(.certificateNotYetValid, -1204),
    ]

    private static let badResponses: [Fault] = [
        .body("HTML", "<html>Sign in to the network</html>", "proxy or a sign-in portal"),
        .body("truncated", #"{"access_token":"secret-new-acc"#, "not a JSON object"),
        .body("no object", #"["secret-new-access-token"]"#, "not a JSON object"),
        .body("empty", "", "0 bytes"),
        Fault(name: "huge", response: .failure(.responseTooLarge(limit: 1_048_576)), detail: -42600),
        .body("a token with line breaks", #"{"access_token":"secret-new-access\r\nX-Evil: 1"}"#, "no token has"),
        .body("no token", "{}", detail: -42008, "neither an access token nor an ID token"),
        .body("no owner", #"{"access_token":"secret-new-access-token"}"#, detail: -42008, "client_info"),
        .refusal("unauthorized_client", "AADSTS700016: Application not found in the directory.", detail: -42006),
        .refusal("invalid_client", "AADSTS7000218: The request body must contain a secret.", detail: -42003),
        Fault(
            name: "server error",
            response: .reply(HTTPResponse(status: 503, headers: ["Retry-After": "120"])),
            detail: -42007,
            words: ["503"]
        ),
    ]

    @Test(arguments: transportFaults + badResponses)
    func `a sign-in fails as documented`(_ fault: Fault) async throws {
        let bench = try BadInputBench()
        bench.service.setLast(fault.response)

        let error = try await bench.failure { try await bench.signIn() }

        expect(error, fault)
    }

    @Test(arguments: transportFaults)
    func `a renewal without the service fails as documented and keeps the token`(_ fault: Fault) async throws {
        let bench = try BadInputBench()
        bench.service.setLast(fault.response)

        let error = try await bench.failure { try await bench.renew() }

        expect(error, fault)
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let held = try await bench.application.acquireTokenSilent(with: .init(scopes: ["user.read"], account: account))
        let token: String = held.accessToken
        #expect(token == "secret-access-token")
    }

    @Test(arguments: transportFaults)
    func `discovery without the service fails as documented, before the browser opens`(_ fault: Fault) async throws {
        let bench = try BadInputBench()
        bench.service.setDiscovery(.response(fault.response))

        let error = try await bench.failure { try await bench.signIn() }

        expect(error, fault)
        #expect(bench.agent.openedURLs.isEmpty)
    }

    /// Every text of an error response, each with a line break and an escape character.
    @Test func `text of an error response cannot add a second line or control a terminal`() async throws {
        let bench = try BadInputBench()
        let evil = "\r\nERROR forged \u{1B}[31m \u{202E}"
        var members = ["error", "suberror", "error_description", "trace_id", "timestamp", "adi"].reduce(into: [:]) {
            $0[$1] = JSONValue.string("x\($1)\(evil)")
        }
        members["correlation_id"] = .string("no uuid\(evil)")
        bench.service.setLast(.reply(.json(.object(members), status: 400)))

        let error = try await bench.failure { try await bench.signIn() }

        for text in error.userInfo.values.compactMap({ $0 as? String }) + [error.localizedDescription] {
            #expect(text == text.visibleLine)
        }
        #expect(
            error.userInfo[MSALErrorDescriptionKey] as? String
                == "xerror_description ERROR forged <U+001B>[31m <U+202E>"
        )
    }

    @Test func `the type of a token of another type is reported in one line`() async throws {
        let bench = try BadInputBench()
        bench.service.setLast(
            .reply(.json(.object(["access_token": .string("a"), "token_type": .string("Odd\r\nERROR forged")])))
        )

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.words.contains("has type Odd ERROR forged"))
    }

    @Test func `an unknown tenant is reported by the service, before the browser opens`() async throws {
        let bench = try BadInputBench()
        let words = "AADSTS90002: Tenant 'nowhere.example' not found."
        let body: JSONValue = .object(["error": .string("invalid_tenant"), "error_description": .string(words)])
        bench.service.setDiscovery(.response(.reply(.json(body, status: 400))))

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == -50000)
        #expect(error.words.contains("AADSTS90002"))
        #expect(bench.agent.openedURLs.isEmpty)
    }

    private static let badClaims: [(check: String, claims: [String: JSONValue])] = [
        ("nonce", ["nonce": .string("of-another-sign-in")]),
        ("nonce", ["nonce": .null]),
        ("iss", ["iss": .string("https://login.evil.example/\(Contoso.tenant)/v2.0")]),
        ("aud", ["aud": .string("another-client")]),
        ("exp", ["exp": .integer(1_767_225_600 - 301)]),
        ("sub", ["sub": .null]),
    ]

    @Test(arguments: badClaims.indices)
    func `an ID token with a wrong claim is rejected, and the error names the check`(_ index: Int) async throws {
        let (check, claims) = Self.badClaims[index]
        let bench = try BadInputBench()
        bench.setResponse(claims: claims)

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.detail == -42600)
        #expect(error.words.contains("check of \(check)"))
    }

    @Test func `a signature by a key that the issuer does not publish is rejected`() async throws {
        let bench = try BadInputBench()
        let key = P256.Signing.PrivateKey().publicKey.rawRepresentation
        bench.service.setKeys(
            .json(
                .object([
                    "keys": .array([
                        .object([
                            "kty": .string("EC"), "crv": .string("P-256"), "kid": .string("k1"),
                            "x": .string(Base64URL.encode(key.prefix(32))),
                            "y": .string(Base64URL.encode(key.suffix(32))),
                        ])
                    ])
                ])
            )
        )
        bench.setResponse()

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.detail == -42600)
        #expect(error.words.contains("check of signature"))
    }

    @Test func `the error names how far the clock is off`() async throws {
        let bench = try BadInputBench()
        bench.setResponse(
            claims: ["nbf": .integer(1_767_225_600 + 3 * 3600), "exp": .integer(1_767_225_600 + 4 * 3600)],
            headers: ["Date": "Thu, 01 Jan 2026 03:00:00 GMT"]
        )

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.detail == -42600)
        #expect(error.words.contains("180 minutes behind"))
    }

    @Test func `a redirect of another sign-in is rejected`() async throws {
        let bench = try BadInputBench(agent: StubAgent { _, _ in ["code": "code-1", "state": "another"] })

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.detail == -42501)
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test func `a user who declines has canceled`() async throws {
        let bench = try BadInputBench(
            agent: StubAgent { visit, _ in
                [
                    "error": "access_denied", "error_description": "AADSTS65004: User declined to consent.",
                    "state": visit.expectedState,
                ]
            }
        )

        let error = try await bench.failure { try await bench.signIn() }

        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.words.contains("AADSTS65004"))
    }

    private func expect(_ error: NSError, _ fault: Fault) {
        #expect(error.domain == fault.domain)
        #expect(error.code == fault.code)
        #expect(error.detail == fault.detail)
        for words in fault.words { #expect(error.words.contains(words)) }
    }
}
