// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

@testable import MSAL

/// A fault of the token endpoint, and the error that an app must see.
struct ServiceFailure: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fault: Fault
    /// Whether the call ends only at the app's time limit.
    var neverResponds = false
    var domain = MSALErrorDomain
    var code = -50000
    var detail: Int?
    /// The parts that the error's text must contain.
    var words: [String]

    static let all =
        withoutResponse + [
            broken("closes the connection at once", by: Fault(pathSuffix: "/token", dropsConnection: true)),
            broken("closes the connection after the head", by: Fault(pathSuffix: "/token", stopsAfterBytes: 0)),
            broken(
                "closes the connection in the middle of the tokens",
                by: Fault(pathSuffix: "/token", stopsAfterBytes: 900)
            ),
            response(
                "is a portal's page",
                body: "<!doctype html><title>Sign in to the network</title>",
                detail: -42600,
                words: "proxy"
            ),
            response(
                "is truncated, but has a matching length",
                body: #"{"access_token":"secret-token-of-the-ser"#,
                detail: -42600,
                words: "JSON"
            ),
            response(
                "is a list",
                body: #"["secret-token-of-the-service"]"#,
                detail: -42600,
                words: "not a JSON object"
            ),
            response("is empty", body: "", detail: -42600, words: "0 bytes"),
            response("is longer than a mebibyte", body: huge, detail: -42600, words: "longer than 1048576 bytes"),
            response("has no members", body: "{}", detail: -42008, words: "neither an access token nor an ID token"),
            ServiceFailure(
                testDescription: "is out of service",
                fault: Fault(pathSuffix: "/token", status: 503, headers: ["Retry-After": "120"], body: "<p>down</p>"),
                detail: -42007,
                words: ["503"]
            ),
        ]

    /// A refresh does not fail with it, because the account is known.
    static let withoutOwner = response(
        "does not say whose it is",
        body: #"{"access_token":"secret-token-of-the-service"}"#,
        detail: -42008,
        words: "client_info"
    )

    /// Each has two requests, because the library retries once.
    private static let withoutResponse = [
        ("never responds", nil), ("stops after the head", 0), ("stops in the middle of the tokens", 900),
    ].map { (name: String, bytes: Int?) in
        ServiceFailure(
            testDescription: name,
            fault: Fault(pathSuffix: "/token", stopsAfterBytes: bytes, hangs: true, count: 2),
            neverResponds: true,
            domain: NSURLErrorDomain,
            code: -1001,
            words: ["within 2.0 s", "Try again"]
        )
    }

    private static func broken(_ name: String, by fault: Fault) -> ServiceFailure {
        var fault = fault
        fault.count = 2
        return ServiceFailure(
            testDescription: name,
            fault: fault,
            domain: NSURLErrorDomain,
            code: -1005,
            words: ["localhost closed the connection before the response was complete", "Try again"]
        )
    }

    private static func response(_ name: String, body: String, detail: Int, words: String) -> ServiceFailure {
        ServiceFailure(
            testDescription: "a response that \(name)",
            fault: Fault(pathSuffix: "/token", status: 200, body: body),
            detail: detail,
            words: [words]
        )
    }

    private static let huge =
        #"{"access_token":""# + String(repeating: "secret-token-of-the-service", count: 60_000) + #""}"#
}

extension ServiceFailure {
    /// A part of the service's tokens, which must not be in any text.
    static let secret = "secret-token"
}
