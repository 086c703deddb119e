// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The journal at the control port.
struct ControlJournalTests {
    private struct Control {
        let bench: Bench
        let base: String
        let token: String

        func send(_ method: HTTPMethod, to path: String, body: String? = nil) async throws -> Bench.Response {
            try await bench.send(method, to: base + path, headers: ["authorization": "Bearer \(token)"], body: body)
        }

        func entries(_ query: String) async throws -> [[String: Any]] {
            try #require(try await send(.GET, to: "/journal" + query).json()["entries"] as? [[String: Any]])
        }
    }

    private static func run(_ body: (Bench, Control) async throws -> Void) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let port = try #require(bench.emulator.controlPort)
            let token = try #require(bench.emulator.controlToken)
            try await body(bench, Control(bench: bench, base: "https://localhost:\(port)", token: token))
        }
    }

    @Test func `the journal comes in pages`() async throws {
        try await Self.run { bench, control in
            for number in 1...5 { _ = try await bench.get("/page-\(number)") }

            let first = try await control.send(.GET, to: "/journal?limit=2").json()
            let next = try #require(first["next"] as? Int)
            let second = try await control.send(.GET, to: "/journal?limit=3&after=\(next)").json()
            let last = try await control.send(.GET, to: "/journal?after=5").json()

            #expect((first["entries"] as? [[String: Any]])?.map { $0["path"] as? String } == ["/page-1", "/page-2"])
            #expect(first["more"] as? Bool == true)
            #expect((second["entries"] as? [[String: Any]])?.map { $0["id"] as? Int } == [3, 4, 5])
            #expect(second["more"] as? Bool == false)
            #expect((last["entries"] as? [[String: Any]])?.isEmpty == true)
            #expect(last["next"] as? Int == 5)
        }
    }

    @Test func `a test can find its requests, and take each once`() async throws {
        try await Self.run { bench, control in
            let id = UUID().uuidString.lowercased()
            _ = try await bench.send(
                .POST,
                to: "/common/oauth2/v2.0/token",
                form: ["client_secret": "s3cret"],
                headers: ["client-request-id": id]
            )
            _ = try await bench.get("/common/discovery/v2.0/keys")

            for query in ["pathSuffix=/token", "method=post", "status=400", "correlationId=\(id.uppercased())"] {
                let found = try await control.entries("?\(query)")
                #expect(found.map { $0["correlation_id"] as? String } == [id], "\(query)")
            }
            let taken = try await control.send(.POST, to: "/journal/take", body: #"{"pathSuffix":"/token"}"#)
            let again = try await control.send(.POST, to: "/journal/take", body: #"{"pathSuffix":"/token"}"#)

            #expect((try taken.json()["entry"] as? [String: Any])?["correlation_id"] as? String == id)
            #expect(!taken.text.contains("s3cret"))
            #expect(again.text == #"{"entry":null}"#)
            #expect(bench.emulator.takeFromJournal { $0.path.hasSuffix("/keys") }?.status == 200)
            #expect(bench.emulator.journal.isEmpty)
        }
    }

    @Test(arguments: [
        "limit=0", "limit=10001", "limit=many", "after=-1", "status=ok", "unknown=1", "limit=1&limit=2",
    ])
    func `an invalid query is rejected with an explanation`(query: String) async throws {
        try await Self.run { _, control in
            let response = try await control.send(.GET, to: "/journal?\(query)")

            #expect(response.status == 400)
            #expect((try response.json()["error_description"] as? String)?.isEmpty == false)
        }
    }

    @Test func `the journal contains the rule behind each rejection`() async throws {
        try await Self.run { bench, control in
            let browser = Browser(bench)
            _ = try await bench.get("/nowhere")
            _ = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: [:])
            _ = try await bench.get(bench.authorizeURL(changing: ["redirect_uri": "https://evil.example"]))
            _ = try await bench.get(bench.authorizeURL(changing: ["prompt": "none"]))
            _ = try await bench.get("/v1.0/me")
            _ = try await bench.get("/api/todos", token: "no-token")
            try await browser.open(bench.authorizeURL())
            try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            try await browser.submit(["passwd": "wrong", "action": "signin"])

            let numbers = bench.emulator.journal.map { $0.refusal?.number }
            #expect(numbers == [9_002_313, 900_144, 50_011, 50_058, nil, nil, nil, nil, 50_126])
            let errors = bench.emulator.journal.map { $0.refusal?.error }
            #expect(errors[4...] == ["InvalidAuthenticationToken", "invalid_token", nil, nil, "invalid_grant"])
            #expect(bench.emulator.journal.allSatisfy { $0.refusal?.message.isEmpty != true })
            #expect(bench.emulator.journal[0].description == "GET /nowhere → 404 AADSTS9002313")
            let found = try await control.entries("?number=50011")
            #expect((found.first?["refusal"] as? [String: Any])?["number"] as? Int == 50_011)
        }
    }

    @Test func `the console shows the rule, and a long path in part`() async throws {
        try await Self.run { bench, control in
            let path = "/" + String(repeating: "x", count: 3_000)
            _ = try await bench.get(path)
            let signedIn = try await bench.send(.POST, to: control.base + "/session", form: ["token": control.token])
            let cookie = try #require(signedIn.headers.first(name: "set-cookie")?.components(separatedBy: ";").first)

            let page = try await bench.send(.GET, to: control.base + "/", headers: ["cookie": cookie])

            #expect(page.text.contains("AADSTS9002313: There is nothing at this address."))
            #expect(page.text.contains("… (3001 bytes)"))
            #expect(!page.text.contains(path))
        }
    }
}
