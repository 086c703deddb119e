// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Applications that are registered by Microsoft Graph.
struct GraphApplicationTests {
    private static let seed = Seed()

    private static func applicationToken(_ bench: Bench) async throws -> String {
        let response = try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "client_credentials", "client_id": seed.serviceClientID,
                "client_secret": seed.serviceSecret, "scope": "https://graph.microsoft.com/.default",
            ]
        )
        return try #require(try response.json()["access_token"] as? String)
    }

    private static func create(_ bench: Bench, token: String?, body: String) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/v1.0/applications",
            headers: token.map { ["authorization": "Bearer \($0)"] } ?? [:],
            body: body
        )
    }

    @Test func `an application is registered, and can be signed in to`() async throws {
        try await Bench.run { bench in
            let body =
                #"{"displayName": "Tool", "publicClient": {"redirectUris": ["http://localhost"]}, "tags": ["a"]}"#
            let response = try await Self.create(bench, token: Self.applicationToken(bench), body: body)
            let members = try response.json()
            let id = try #require(members["appId"] as? String)
            let known = try await bench.emulator.directory().applications.first { $0.clientID == id }
            let page = try await bench.send(
                .GET,
                to: bench.authorizeURL(changing: ["client_id": id, "redirect_uri": "http://localhost:5000"])
            )

            #expect(response.status == 201)
            #expect(members["displayName"] as? String == "Tool" && members["tags"] as? [String] == ["a"])
            #expect(known?.redirectURIs == ["http://localhost"] && known?.kind == .publicClient)
            #expect(page.status < 400 && !page.text.contains("AADSTS700016"))
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"displayName": ""}"#, #"{"displayName": "a", "publicClient": {"redirectUris": [1]}}"#,
        #"{"displayName": "a", "publicClient": {"redirectUris": ["nonsense"]}}"#,
        #"{"displayName": "a", "web": {"redirectUris": "http://localhost"}}"#,
    ])
    func `an invalid description is rejected, and nothing changes`(body: String) async throws {
        try await Bench.run { bench in
            let before = try await bench.emulator.directory().applications.count
            let response = try await Self.create(bench, token: Self.applicationToken(bench), body: body)

            #expect(response.status == 400 && response.text.contains("Request_BadRequest"), "\(response.text)")
            #expect(try await bench.emulator.directory().applications.count == before)
        }
    }

    @Test func `a user without permission cannot register applications`() async throws {
        try await Bench.run { bench in
            let body = #"{"displayName": "Tool"}"#
            let token = try await bench.tokens()["access_token"] as? String

            #expect(try await Self.create(bench, token: token, body: body).status == 403)
            #expect(try await Self.create(bench, token: nil, body: body).status == 401)
        }
    }
}
