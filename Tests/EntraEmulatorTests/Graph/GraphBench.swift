// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Requests to Microsoft Graph with a token that has the permissions of a test.
struct GraphBench {
    let bench: Bench
    let token: String

    static let administration = [
        "User.ReadWrite.All", "Group.ReadWrite.All", "Directory.ReadWrite.All", "Application.ReadWrite.All",
        "AppRoleAssignment.ReadWrite.All", "DelegatedPermissionGrant.ReadWrite.All", "AuditLog.Read.All", "User.Read",
        "ProfilePhoto.ReadWrite.All", "User.RevokeSessions.All", "Directory.Read.All",
    ]

    static func run(
        as user: String = "alex@contoso.example",
        scopes: [String] = administration,
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (GraphBench) async throws -> Void
    ) async throws {
        try await Bench.run(change) { bench in
            let order = TestToken(user: user, api: "https://graph.microsoft.com", scopes: scopes)
            try await body(GraphBench(bench: bench, token: try await bench.emulator.accessToken(order)))
        }
    }

    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ body: String? = nil,
        isEventual: Bool = false
    ) async throws -> Bench.Response {
        var headers = ["authorization": "Bearer \(token)"]
        if isEventual { headers["ConsistencyLevel"] = "eventual" }
        // A plus sign would be a space.
        let plain = CharacterSet.urlFragmentAllowed.subtracting(["+"])
        let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
        return try await bench.send(
            method,
            to: path.hasPrefix("https:") ? path : "/v1.0\(escaped)",
            headers: headers,
            body: body
        )
    }

    /// A property of each object of a list.
    func values(_ property: String, at path: String, isEventual: Bool = false) async throws -> [String] {
        let response = try await send(.GET, path, isEventual: isEventual)
        #expect(response.status == 200, "\(response.text)")
        return try Self.elements(response).compactMap { $0[property] as? String }
    }

    /// The id of a new object.
    func create(_ path: String, _ body: String) async throws -> String {
        let response = try await send(.POST, path, body)
        #expect(response.status == 201, "\(response.text)")
        return try #require(try response.json()["id"] as? String)
    }

    static func elements(_ response: Bench.Response) throws -> [[String: Any]] {
        try #require(try response.json()["value"] as? [[String: Any]])
    }

    static func code(_ response: Bench.Response) throws -> String? {
        (try response.json()["error"] as? [String: Any])?["code"] as? String
    }
}
