// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Requests that the control API refuses, with the sentences of its errors.
struct ControlRefusalTests {
    /// A path, a body, and what the sentence about it has to contain.
    private typealias Case = (path: String, body: String, words: String)

    private static let cases: [Case] = [
        ("faults", #"{"pathSuffix":"/me","stat":503}"#, "'stat' is not known here; allowed: pathSuffix, method,"),
        ("faults", #"{"pathSuffix":"/me","status":"503"}"#, "'status' must be a whole number from 200 to 999"),
        ("faults", #"{"pathSuffix":"/me","status":9999}"#, "'status' must be a whole number from 200 to 999"),
        ("faults", #"{"pathSuffix":"/me","status":503,"count":0}"#, "'count' must be a whole number from 1 to"),
        ("faults", #"{"pathSuffix":"/me","status":503,"count":-1}"#, "'count' must be a whole number from 1 to"),
        ("faults", #"{"pathSuffix":"/me","delayMilliseconds":-1}"#, "'delayMilliseconds' must be a whole number"),
        ("faults", #"{"pathSuffix":"/me","hangs":"yes"}"#, "'hangs' must be true or false"),
        ("faults", #"{"pathSuffix":"/me","status":503,"body":{}}"#, "'body' must be a string"),
        ("faults", #"{"pathSuffix":"/me","status":503,"headers":{"a":1}}"#, "'headers' must be an object of strings"),
        ("faults", #"{"pathSuffix":"/me","status":503,"headers":{"a b":"c"}}"#, "'a b' in 'headers'"),
        ("faults", #"{"pathSuffix":"/me","hangs":true,"body":"x"}"#, "'body' and 'headers' require a 'status'"),
        ("faults", #"{"pathSuffix":"/me","count":2}"#, "a fault needs one of 'status'"),
        ("faults", #"{"status":503}"#, "'pathSuffix' is missing"),
        ("faults", #"{"pathSuffix":"/token","refusal":1}"#, "'refusal' must be one of the AADSTS numbers 7000215,"),
        ("faults", #"{"pathSuffix":"/token","refusal":90033,"body":"x"}"#, "'refusal' and 'body' exclude each other"),
        (
            "faults", #"{"pathSuffix":"/token","refusal":90033,"claims":"{}"}"#,
            "'claims' requires 'refusal' 50074, 50076"
        ),
        ("faults", #"{"pathSuffix":"/token","status":503,"count":2,"always":true}"#, "exclude each other"),
        ("faults", "[]", "the body must be a JSON object"),
        ("faults", "{", "the body is not JSON"),
        ("faults", String(repeating: " ", count: 70_000), "the body must not be larger than 65536 bytes"),
        (
            "users", #"{"userPrincipalName":"a@nowhere.example","password":"x"}"#,
            "choose one of the tenants: contoso.example,"
        ),
        (
            "users", #"{"userPrincipalName":"a@b.example","password":"x","tenant":"c"}"#,
            "names 'c', which does not exist"
        ),
        ("users", #"{"userPrincipalName":"new@contoso.example"}"#, "user 'new@contoso.example' has no password"),
        ("users", #"{"userPrincipalName":"new@contoso.example","pasword":"x"}"#, "did you mean 'password'?"),
        (
            "users", #"{"userPrincipalName":"new@contoso.example","password":"x","customer":{"credential":"none"}}"#,
            "customer.credential must be one of password, emailCode, socialAccount"
        ),
        ("applications", #"{"clientId":"new","redirectUris":["nowhere"]}"#, "has the malformed value 'nowhere'"),
        (
            "applications", #"{"clientId":"new","redirectUris":"http://localhost"}"#,
            "redirectUris must be a list of strings"
        ),
        ("applications", #"{"clientId":"new","certificates":[{"file":"/etc/passwd"}]}"#, "file cannot be used here"),
        ("applications", #"{"displayName":"new"}"#, "the body has no 'clientId'; add it"),
        ("applications", #"{"clientId":"new","grantedRoles":{"nowhere":["All"]}}"#, "names 'nowhere', which does not"),
        ("tenants", "[]", "the body is not an object"),
        ("apis", #"{"clientId":"new","accessTokenAcceptedVersion":3}"#, "must be a whole number from 1 to 2"),
        ("answers", #"{"endpoint":"/initiate","responses":["Nonsense"]}"#, "'Nonsense' in 'responses' must be one of"),
        (
            "answers", #"{"endpoint":"/initiate","responses":["UserNotFound",1]}"#,
            "'responses' must be a list of strings"
        ),
        ("answers", #"{"endpoint":"/i","responses":["UserNotFound"],"correlationId":"1"}"#, "'correlationId' must be"),
        ("clock", #"{"advance":"3600"}"#, "'advance' must be a whole number"),
        ("clock", "{}", "one of 'advance', 'set', 'freeze' and 'skew' is missing"),
        ("certificate", #"{"fault":"pink"}"#, "'fault' must be one of expired, otherName, selfSigned"),
        ("certificate", #"{"certificate":"expired"}"#, "'certificate' is not known here; allowed: fault"),
    ]

    @Test func `an invalid request is rejected with the cause, and changes nothing`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let headers = ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"]
            let now = bench.emulator.now
            for (path, body, words) in Self.cases {
                let response = try await bench.send(.POST, to: "\(control)/\(path)", headers: headers, body: body)
                let members = try response.json()

                #expect(response.status == 400, "\(body)")
                #expect(members["error"] as? String == "invalid_request", "\(body)")
                #expect((members["error_description"] as? String)?.contains(words) == true, "\(response.text)")
            }
            let me = try await bench.get("/v1.0/me")
            let users = try await bench.send(.GET, to: "\(control)/users", headers: headers)

            #expect(me.status == 401)
            #expect(!users.text.contains("new@contoso.example"))
            #expect(bench.emulator.now.timeIntervalSince(now) < 3600)
        }
    }

    @Test func `null is treated as absent, and methods are case-insensitive`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let headers = ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"]
            let added = try await bench.send(
                .POST,
                to: "\(control)/faults",
                headers: headers,
                body: #"{"pathSuffix":"/me","method":"get","status":503,"headers":{"Retry-After":"5"},"count":null}"#
            )
            let first = try await bench.get("/v1.0/me")
            let second = try await bench.get("/v1.0/me")

            #expect(added.status == 201)
            #expect(first.status == 503)
            #expect(first.headers.first(name: "retry-after") == "5")
            #expect(second.status == 401)
        }
    }
}
