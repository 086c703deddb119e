// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

@testable import EntraEmulator

/// The permissions of Microsoft Graph.
struct GraphPermissionTests {
    @Test func `the file has the stated number of permissions, each with a unique ID`() {
        let all = GraphPermissions.shared
        let ids = all.scopes.values.map(\.id) + all.roles.values.map(\.id)

        #expect(all.scopes.count == GraphPermissions.countOfScopes && all.scopes.count > 500)
        #expect(all.roles.count == GraphPermissions.countOfRoles && all.roles.count > 400)
        #expect(ids.allSatisfy { UUID(uuidString: $0) != nil })
        #expect(all.scopes["user.read"]?.isAdministratorOnly == false)
        #expect(all.scopes["user.read.all"]?.isAdministratorOnly == true)
        #expect(all.need("GET", at: "/users/{id}")?.roles.contains("User.Read.All") == true)
        #expect(all.need("GET", at: "/nowhere") == nil)
    }

    @Test(arguments: [
        ("GET", "/groups", "User.Read", 403), ("GET", "/groups", "Group.Read.All", 200),
        ("GET", "/users/alex@contoso.example", "User.Read", 403), ("GET", "/me", "Group.Read.All", 403),
        ("GET", "/me/memberOf", "User.Read", 200), ("GET", "/users/alex@contoso.example/memberOf", "User.Read", 403),
        ("POST", "/groups", "Group.Read.All", 403), ("DELETE", "/users/alex@contoso.example", "User.Read.All", 403),
        ("GET", "/applications", "Application.Read.All", 200), ("GET", "/auditLogs/signIns", "User.Read.All", 403),
        ("GET", "/organization", "User.Read", 200), ("PATCH", "/me", "User.ReadWrite", 204),
        ("PATCH", "/users/alex@contoso.example", "User.ReadWrite", 403),
    ])
    func `a request needs a permission of Microsoft's table`(
        method: String,
        path: String,
        scope: String,
        status: Int
    ) async throws {
        try await GraphBench.run(as: "megan@contoso.example", scopes: [scope]) { graph in
            let response = try await graph.send(.init(rawValue: method), path, method == "GET" ? nil : "{}")

            #expect(response.status == status, "\(response.text)")
            if status == 403 { #expect(try GraphBench.code(response) == "Authorization_RequestDenied") }
        }
    }

    @Test(arguments: [
        ("GET", "/users/alex@contoso.example", "User.ReadBasic.All"), ("GET", "/me/manager", "User.Read.All"),
        ("DELETE", "/users/alex@contoso.example", "User.DeleteRestore.All"),
    ])
    func `an error names a sufficient permission, which works`(
        method: String,
        path: String,
        permission: String
    ) async throws {
        try await GraphBench.run(as: "megan@contoso.example", scopes: ["User.Read"]) { graph in
            let response = try await graph.send(.init(rawValue: method), path, method == "GET" ? nil : "{}")

            #expect(response.status == 403)
            let challenge = response.headers.first(name: "WWW-Authenticate")
            #expect(challenge == "Bearer error=\"insufficient_scope\", scope=\"\(permission)\"")
        }
        try await GraphBench.run(as: "megan@contoso.example", scopes: [permission]) { graph in
            let response = try await graph.send(.init(rawValue: method), path, method == "GET" ? nil : "{}")

            #expect(response.status != 403, "\(response.text)")
        }
    }

    @Test func `an app can request any permission of Graph`() async throws {
        try await Bench.run { bench in
            let scope = "Files.ReadWrite Files.ReadWrite.AppFolder Chat.Read openid"
            let tokens = try await bench.tokens(["scope": scope])

            #expect((tokens["scope"] as? String)?.contains("Files.ReadWrite.AppFolder") == true)
        }
    }
}
