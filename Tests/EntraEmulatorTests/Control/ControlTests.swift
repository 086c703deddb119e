// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The control port, as an API and as pages.
struct ControlTests {
    private static func run(_ body: (Bench, String, String) async throws -> Void) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let port = try #require(bench.emulator.controlPort)
            try await body(bench, "https://localhost:\(port)", try #require(bench.emulator.controlToken))
        }
    }

    private static func call(
        _ bench: Bench,
        method: HTTPMethod,
        address: String,
        token: String,
        body: String? = nil
    ) async throws -> Bench.Response {
        try await bench.send(method, to: address, headers: ["authorization": "Bearer \(token)"], body: body)
    }

    @Test func `the API adds customers, reads the outbox and queues responses`() async throws {
        try await Self.run { bench, control, token in
            let app = NativeApp(bench: bench)
            let added = try await Self.call(
                bench,
                method: .POST,
                address: "\(control)/users",
                token: token,
                body: #"""
                    {"userPrincipalName":"zoe@customer.example","tenant":"fabrikam","password":"Gr8-secret!","customer":
                    {"credential":"emailCode","strongMethods":[],"requiresSecondFactor":false,"passwordState":"current",
                    "isLocked":false,"resetOutcome":"succeeds","attributes":{}}}
                    """#
            )
            _ = try await app.challenged("zoe@customer.example")
            let outbox = try await Self.call(bench, method: .GET, address: "\(control)/outbox", token: token).json()
            let message = try #require((outbox["messages"] as? [[String: String]])?.last)
            let queued = try await Self.call(
                bench,
                method: .POST,
                address: "\(control)/answers",
                token: token,
                body: #"{"endpoint":"/initiate","responses":["UserNotFound"]}"#
            )
            let unknown = try await Self.call(
                bench,
                method: .POST,
                address: "\(control)/answers",
                token: token,
                body: #"{"endpoint":"/initiate","responses":["Nonsense"]}"#
            )
            let refused = try await app.begin("oauth2/v2.0/initiate", user: "zoe@customer.example")
            let removed = try await Self.call(
                bench,
                method: .DELETE,
                address: "\(control)/users/zoe%40customer.example",
                token: token
            )
            let gone = try await app.begin("oauth2/v2.0/initiate", user: "zoe@customer.example")

            #expect(added.status == 201)
            #expect(message["recipient"] == "zoe@customer.example")
            #expect(message["purpose"] == "signIn")
            #expect(try message["code"] == app.code("zoe@customer.example"))
            #expect(queued.status == 201)
            #expect(unknown.status == 400)
            #expect(try refused.refusal() == Refusal("user_not_found", number: 50_034))
            #expect(removed.status == 200)
            #expect(try gone.refusal() == Refusal("user_not_found", number: 50_034))
        }
    }

    @Test func `the console requires the token and shows the codes`() async throws {
        try await Self.run { bench, control, token in
            let app = NativeApp(bench: bench)
            _ = try await app.challenged("code@fabrikam.example")
            let code = try app.code("code@fabrikam.example")
            let browser = Browser(bench)
            let door = try await browser.open(control + "/")
            let wrong = try await bench.send(.POST, to: control + "/session", form: ["token": "wrong"])
            let opened = try await bench.send(.POST, to: control + "/session", form: ["token": token])
            let cookie = try #require(opened.headers.first(name: "set-cookie"))
            let session = ["cookie": String(cookie.prefix { $0 != ";" })]
            let page = try await bench.send(.GET, to: control + "/", headers: session)
            let csrf = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
            let blind = try await bench.send(.POST, to: control + "/console/reset", form: [:], headers: session)
            let stranger = try await bench.send(.POST, to: control + "/console/reset", form: ["csrf": csrf])

            #expect(door.status == 200)
            #expect(!door.text.contains(code))
            #expect(wrong.status == 403)
            #expect(opened.status == 303)
            for part in ["Secure", "HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
            #expect(!cookie.contains(token))
            #expect(page.text.contains(code))
            #expect(!page.text.contains("<script"))
            #expect(blind.status == 400)
            #expect(stranger.status == 401)
            #expect(bench.emulator.outbox.count == 1)
        }
    }

    @Test func `the journal contains headers, but not their secrets`() async throws {
        try await Self.run { bench, control, token in
            let headers = ["client-request-id": "id-1", "authorization": "Bearer s3cret", "cookie": "session=s3cret"]
            _ = try await bench.send(.GET, to: "/v1.0/me", headers: headers)

            let journal = try await Self.call(bench, method: .GET, address: "\(control)/journal", token: token)

            #expect(journal.text.contains("\"client-request-id\":\"id-1\""))
            #expect(journal.text.contains("\"authorization\":\"‹redacted›\""))
            #expect(journal.text.contains("\"cookie\":\"‹redacted›\""))
            #expect(!journal.text.contains("s3cret"))
        }
    }

    @Test func `the console moves the clock, adds faults and responses, and resets`() async throws {
        try await Self.run { bench, control, token in
            let app = NativeApp(bench: bench)
            let opened = try await bench.send(.POST, to: control + "/session", form: ["token": token])
            let cookie = try #require(opened.headers.first(name: "set-cookie")?.prefix { $0 != ";" })
            let session = ["cookie": String(cookie)]
            let page = try await bench.send(.GET, to: control + "/", headers: session)
            let csrf = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
            func press(_ path: String, form: [String: String]) async throws -> Bench.Response {
                try await bench.send(
                    .POST,
                    to: "\(control)/console/\(path)",
                    form: form.merging(["csrf": csrf]) { $1 },
                    headers: session
                )
            }
            let before = bench.emulator.now
            let clock = try await press("clock", form: ["seconds": "660"])
            let fault = try await press("faults", form: ["path": "/keys", "effect": "503", "count": "1"])
            let response = try await press(
                "answers",
                form: ["endpoint": "oauth2/v2.0/initiate", "answer": "UserNotFound"]
            )
            let listed = try await bench.send(.GET, to: control + "/?done=fault", headers: session)
            let broken = try await bench.get("/common/discovery/v2.0/keys")
            let named = try await app.begin("oauth2/v2.0/initiate", user: "password@fabrikam.example")
            let nonsense = try await press("faults", form: ["path": "/keys", "effect": "pigeon", "count": "1"])
            let again = try await press("reset", form: [:])

            #expect(clock.status == 303)
            #expect(fault.status == 303)
            #expect(response.status == 303)
            #expect(listed.text.contains("The fault was added."))
            #expect(listed.text.contains("Status 503"))
            #expect(broken.status == 503)
            #expect(try named.refusal() == Refusal("user_not_found", number: 50_034))
            #expect(nonsense.status == 400)
            #expect(again.status == 303)
            #expect(bench.emulator.journal.isEmpty)
            #expect(bench.emulator.now.timeIntervalSince(before) < 600)
        }
    }
}
