// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The addresses of Microsoft Graph, and what those say that are not there.
struct GraphPathTests {
    private static func run(_ body: (Bench, String) async throws -> Void) async throws {
        try await Bench.run { bench in
            var order = TestToken(user: "megan@contoso.example", api: "https://graph.microsoft.com")
            order.scopes = ["User.Read", "User.Read.All"]
            try await body(bench, try await bench.emulator.accessToken(order))
        }
    }

    @Test(arguments: ["/v1.0/me", "/beta/me", "/v1.0//me"])
    func `the profile has the members that are asked for, under every form of its address`(path: String) async throws {
        try await Self.run { bench, token in
            let response = try await bench.get(path + "?$select=displayName,jobTitle", token: token)

            #expect(response.status == 200)
            #expect(Set(try response.json().keys) == ["@odata.context", "displayName", "jobTitle"])
        }
    }

    @Test func `a doubled slash changes no address`() async throws {
        try await Self.run { bench, token in
            let users = try await bench.get("/v1.0//users?$top=1", token: token)

            #expect(users.status == 200)
        }
    }

    @Test(arguments: [
        ("/v1.0/usres", 400, "BadRequest", "Resource not found for the segment 'usres'."),
        ("/beta", 400, "BadRequest", "Resource not found for the segment ''."),
        ("/v1.0/me/messages", 501, "notImplemented", "The emulator does not support 'me/messages' of Microsoft Graph."),
        ("/v1.0/teams", 501, "notImplemented", "The emulator does not support 'teams' of Microsoft Graph."),
        ("/v1.0/users/one/mesages", 400, "BadRequest", "Resource not found for the segment 'mesages'."),
    ])
    func `an unknown path returns an error in Graph's format`(
        path: String,
        status: Int,
        code: String,
        message: String
    ) async throws {
        try await Self.run { bench, token in
            let response = try await bench.get(path, token: token)
            let error = try #require(response.json()["error"] as? [String: Any])

            #expect(response.status == status)
            #expect(error["code"] as? String == code)
            #expect(error["message"] as? String == message)
            #expect((error["innerError"] as? [String: String])?["request-id"]?.isEmpty == false)
            #expect(bench.emulator.journal.last?.refusal?.error == code)
        }
    }

    @Test(arguments: ["/v1.0/me", "/v1.0/usres", "/v1.0/groups"])
    func `every response has the ids by which a client and the service know the request`(path: String) async throws {
        try await Self.run { bench, token in
            let id = "3c9f9d9e-7f6c-4a55-9d5b-0f2c9a9d0e11"
            let response = try await bench.send(
                .GET,
                to: path,
                headers: ["authorization": "Bearer \(token)", "client-request-id": id]
            )
            let inner = (try response.json()["error"] as? [String: Any])?["innerError"] as? [String: String]

            #expect(response.headers.first(name: "client-request-id")?.lowercased() == id)
            #expect(response.headers.first(name: "request-id")?.isEmpty == false)
            #expect(inner.map { $0["request-id"] == response.headers.first(name: "request-id") } ?? true)
        }
    }
}
