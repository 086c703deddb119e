// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

@testable import MSAL

/// What the token endpoint does wrong, and what an app must see of it.
struct ServiceTrouble: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fault: Fault
    /// Whether the app's patience has to end for the call to end.
    var isSilent = false
    var domain = MSALErrorDomain
    var code = -50000
    var detail: Int?
    /// What the text must say.
    var words: [String]

    static let all =
        silence + [
            broken("closes the connection at once", by: Fault(pathSuffix: "/token", dropsConnection: true)),
            broken("closes the connection in the head's wake", by: Fault(pathSuffix: "/token", stopsAfterBytes: 0)),
            broken(
                "closes the connection in the middle of the tokens",
                by: Fault(pathSuffix: "/token", stopsAfterBytes: 900)
            ),
            answer(
                "is a portal's page",
                body: "<!doctype html><title>Sign in to the network</title>",
                detail: -42600,
                words: "proxy"
            ),
            answer(
                "is cut off, but says it is whole",
                body: #"{"access_token":"secret-token-of-the-ser"#,
                detail: -42600,
                words: "JSON"
            ),
            answer("is a list", body: #"["secret-token-of-the-service"]"#, detail: -42600, words: "not a JSON object"),
            answer("is empty", body: "", detail: -42600, words: "0 bytes"),
            answer("is longer than a mebibyte", body: huge, detail: -42600, words: "longer than 1048576 bytes"),
            answer("has no members", body: "{}", detail: -42008, words: "neither an access token nor an id token"),
            ServiceTrouble(
                testDescription: "is out of service",
                fault: Fault(pathSuffix: "/token", status: 503, headers: ["Retry-After": "120"], body: "<p>down</p>"),
                detail: -42007,
                words: ["503"]
            ),
        ]

    /// No failure of a renewal, whose account is known.
    static let withoutOwner = answer(
        "does not say whose it is",
        body: #"{"access_token":"secret-token-of-the-service"}"#,
        detail: -42008,
        words: "client_info"
    )

    /// Two requests each, because the library tries once more.
    private static let silence = [
        ("never answers", nil), ("stops after the head", 0), ("stops in the middle of the tokens", 900),
    ].map { (name: String, bytes: Int?) in
        ServiceTrouble(
            testDescription: name,
            fault: Fault(pathSuffix: "/token", stopsAfterBytes: bytes, hangs: true, count: 2),
            isSilent: true,
            domain: NSURLErrorDomain,
            code: -1001,
            words: ["within 2.0 s", "Try again"]
        )
    }

    private static func broken(_ name: String, by fault: Fault) -> ServiceTrouble {
        var fault = fault
        fault.count = 2
        return ServiceTrouble(
            testDescription: name,
            fault: fault,
            domain: NSURLErrorDomain,
            code: -1005,
            words: ["localhost closed the connection before the response was complete", "Try again"]
        )
    }

    private static func answer(_ name: String, body: String, detail: Int, words: String) -> ServiceTrouble {
        ServiceTrouble(
            testDescription: "an answer that \(name)",
            fault: Fault(pathSuffix: "/token", status: 200, body: body),
            detail: detail,
            words: [words]
        )
    }

    private static let huge =
        #"{"access_token":""# + String(repeating: "secret-token-of-the-service", count: 60_000) + #""}"#
}

extension ServiceTrouble {
    /// What the service said and nobody may repeat.
    static let secret = "secret-token"
}
