// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// The failures that a broker reports in its responses (docs/reference/Broker.md#status).
struct BrokerStatusTests {
    private func failure(
        _ error: [String: JSONValue],
        method: IdentityBrokerMethod = .tokenSilently,
        secrets: [Secret] = []
    ) throws -> BrokerFailure {
        let text = BrokerSample.failure(error, method: method).text
        let failure = #expect(throws: BrokerFailure.self) { try BrokerResponse(text, to: method, secrets: secrets) }
        return try #require(failure)
    }

    @Test(arguments: [
        (0, BrokerFailure.Kind.unexpected), (1, .unexpected), (2, .interactionRequired), (3, .noNetwork),
        (4, .noNetwork),
        (5, .temporary), (6, .invalidRequest), (7, .canceledByUser), (8, .canceled), (9, .misconfigured),
        (10, .unexpected), (11, .untrustedAuthority), (12, .otherUser), (13, .interactionRequired),
        (14, .removalRequired), (15, .temporary), (16, .otherUser), (17, .deviceNotRegistered), (18, .unexpected),
        (19, .unknownAccount), (20, .absent), (21, .passedOver), (22, .unexpected), (-1, .unexpected),
        (1_000_000, .unexpected),
    ])
    func `each status has its kind, for every method and as a text too`(status: Int, kind: BrokerFailure.Kind) throws {
        for method in IdentityBrokerMethod.allCases {
            let failure = try failure(
                ["status": .integer(Int64(status)), "context": .string("Words."), "tag": .integer(0)],
                method: method
            )
            #expect(failure.kind == kind)
            #expect(failure.message.contains("status \(status)"))
            #expect(failure.message.contains("Words."))
        }
        #expect(try failure(["status": .string(String(status))]).kind == kind)
    }

    @Test func `every status of the table is tested`() {
        #expect(BrokerStatus.allCases.map(\.rawValue) == Array(0...21))
    }

    @Test func `Microsoft's own client maps each number to the same outcome`() throws {
        let names = try BrokerRequestShapeTests.fixture().statuses

        for status in BrokerStatus.allCases { #expect(names[String(status.rawValue)] == status.name) }
        #expect(names.keys.compactMap(Int.init).max() == 23 && names["22"] == "Unexpected")
    }

    @Test func `a failure of the early broker has its OAuth error, suberror and code`() throws {
        let failure = try failure([
            "context": .string("AADSTS50078: Presented multi-factor authentication has expired. AADSTS50078"),
            "diagnostics": .object([
                "raw_error_code": .string("invalid_grant"), "oauth2_sub_error_code": .string("basic_action"),
                "exception_type": .string("UiRequiredException"),
            ]),
            "errorCode": .integer(0), "status": .integer(2), "subStatus": .integer(0), "tag": .integer(0),
        ])

        #expect(failure.kind == .interactionRequired)
        #expect(failure.oauthError == "invalid_grant")
        #expect(failure.oauthSuberror == "basic_action")
        #expect(failure.serviceCodes == [50078])
        #expect(!failure.message.contains("tag"))
    }

    @Test func `a failure of the current broker has these in its message, and a tag`() throws {
        let failure = try failure([
            "context": .string("The request failed. Code: 'invalid_grant' and suberror: 'token_expired'"),
            "diagnostics": .null, "errorCode": .integer(0), "status": .integer(2), "tag": .integer(595_719_680),
        ])

        #expect(failure.oauthError == "invalid_grant")
        #expect(failure.oauthSuberror == "token_expired")
        #expect(failure.message.contains("InteractionRequired"))
        #expect(failure.message.contains("tag 965ya"))
    }

    @Test func `a tag that is not spelled with five characters stays a number`() {
        #expect(BrokerErrorMember.tag(595_719_680) == "965ya")
        #expect(BrokerErrorMember.tag(0) == nil)
        #expect(BrokerErrorMember.tag(-3) == nil)
        #expect(BrokerErrorMember.tag(.max) == nil)
        #expect(BrokerErrorMember.tag(63) == "63")
    }

    @Test(arguments: ["AADSTS50011: The redirect URI does not match.", "See AADSTS7000218."])
    func `a missing registration is reported with the redirect URI, whatever the status is`(_ words: String) throws {
        for status in [0, 2, 6] {
            let failure = try failure(["status": .integer(Int64(status)), "context": .string(words)])
            #expect(failure.kind == .misconfigured)
            #expect(failure.message.contains(BrokerRedirect.uri))
        }
        #expect(try failure(["status": .integer(9)]).message.contains(BrokerRedirect.uri))
    }

    @Test(arguments: [
        ("Not implemented", BrokerFailure.Kind.unsupported), ("Invalid request for user!", .unknownAccount),
        ("Failed to authenticate user", .interactionRequired), ("Unable to load account", .temporary),
        ("broker socket read timeout", .unreachable), ("Something else", .interactionRequired),
        ("Missing account username in request", .accountNeeded),
    ])
    func `Himmelblau's message is used if the status is not specific`(words: String, kind: BrokerFailure.Kind) throws {
        let error: [String: JSONValue] = ["context": .string(words), "subStatus": .integer(0)]

        #expect(try failure(error.merging(["status": .integer(0)]) { $1 }).kind == kind)
        #expect(try failure(error).kind == kind)
        #expect(try failure(error.merging(["status": .integer(7)]) { $1 }).kind == .canceledByUser)
    }

    @Test func `an unknown message without a code requires interaction for a silent token only`() throws {
        let words: [String: JSONValue] = [
            "context": .string("Something else"), "status": .integer(0), "subStatus": .integer(0),
        ]

        for method in IdentityBrokerMethod.allCases {
            let kind: BrokerFailure.Kind = method == .tokenSilently ? .interactionRequired : .unexplained
            #expect(try failure(words, method: method).kind == kind)
            // Microsoft's brokers have more numbers, and their status counts.
            #expect(try failure(words.merging(["tag": .integer(0)]) { $1 }, method: method).kind == .unexpected)
        }
    }

    @Test func `an error of any form is a failure, and an empty one is ignored`() throws {
        let method = IdentityBrokerMethod.removal
        for error in [JSONValue.string("broken"), .array([]), .bool(true), .object(["status": .null])] {
            let text = JSONValue.object(["error": error]).text
            let failure = #expect(throws: BrokerFailure.self) { try BrokerResponse(text, to: method) }
            #expect(failure?.kind == .unexpected)
        }
        for error in [JSONValue.null, .object([:])] {
            _ = try BrokerResponse(JSONValue.object(["error": error]).text, to: method)
        }
    }

    @Test func `an error next to the envelope counts as well, and telemetry contains the version`() throws {
        let text = JSONValue.object([
            "error": .object(["status": .integer(21)]), "telemetry": .object(["broker_version": .string("3.0.2")]),
        ]).text

        let failure = #expect(throws: BrokerFailure.self) { try BrokerResponse(text, to: .tokenSilently) }

        #expect(failure?.kind == .passedOver)
        #expect(failure?.brokerVersion == "3.0.2")
    }

    @Test func `a secret that a broker repeats in its message is not part of the failure`() throws {
        let token = BrokerSample.token(["oid": .string("x")])
        let failure = try failure(
            [
                "status": .integer(0),
                "context": .string("Cannot renew stale-access-token for \(BrokerSample.idToken()): \(token)"),
            ],
            secrets: [Secret("stale-access-token")]
        )

        let isClean = !failure.message.contains("stale-access-token") && !failure.message.contains("eyJ")
        #expect(isClean)
        #expect(failure.message.contains("‹redacted›"))
    }

    @Test func `a secret at the position where the message is truncated leaves no part`() throws {
        let secret = Secret(String(repeating: "secret-", count: 100))
        let before = String(repeating: "a ", count: 1000)
        for context in [before + secret.exposed + " and more", before + secret.exposed.prefix(48)] {
            let failure = try failure(["status": .integer(0), "context": .string(context)], secrets: [secret])
            let isClean = !failure.message.contains("secret-")
            #expect(isClean)
        }
    }

    @Test func `the message of a broker is truncated`() throws {
        let failure = try failure(["status": .integer(0), "context": .string(String(repeating: "a ", count: 100_000))])

        #expect(failure.message.count < 3000)
    }

    @Test func `names of an invalid form are not OAuth errors`() throws {
        let failure = try failure([
            "status": .integer(2),
            "diagnostics": .object(["raw_error_code": .string("a b\u{1B}"), "oauth2_sub_error_code": .string("")]),
        ])

        #expect(failure.oauthError == nil)
        #expect(failure.oauthSuberror == nil)
    }
}
