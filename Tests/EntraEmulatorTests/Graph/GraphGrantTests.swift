// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Applications, app roles and grants that Microsoft Graph changes.
struct GraphGrantTests {
    private static func principal(_ graph: GraphBench, _ clientID: String) async throws -> [String: Any] {
        try await graph.send(.GET, "/servicePrincipals(appId='\(clientID)')").json()
    }

    @Test func `an application is changed, gets a secret, and signs in with it`() async throws {
        try await GraphBench.run { graph in
            let made = try await graph.send(
                .POST,
                "/applications",
                #"{"displayName": "Nightly", "web": {"redirectUris": []}}"#
            )
            let id = try #require(try made.json()["id"] as? String)
            let clientID = try #require(try made.json()["appId"] as? String)
            let secret = try await graph.send(.POST, "/applications/\(id)/addPassword", "{}").json()
            _ = try await graph.create("/servicePrincipals", #"{"appId": "\#(clientID)"}"#)
            let change = #"{"displayName": "Nightly job", "spa": {"redirectUris": ["https://app.contoso.example"]}}"#
            let changed = try await graph.send(.PATCH, "/applications/\(id)", change)
            let form = [
                "grant_type": "client_credentials", "client_id": clientID,
                "scope": "https://graph.microsoft.com/.default",
                "client_secret": try #require(secret["secretText"] as? String),
            ]
            let token = try await graph.bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
            let shown = try await graph.send(.GET, "/applications(appId='\(clientID)')")
            let keyID = try #require(secret["keyId"] as? String)
            let removed = try await graph.send(.POST, "/applications/\(id)/removePassword", #"{"keyId": "\#(keyID)"}"#)

            #expect(changed.status == 204 && token.status == 200 && removed.status == 204)
            #expect(try shown.json()["displayName"] as? String == "Nightly job")
            #expect(!shown.text.contains(try #require(secret["secretText"] as? String)))
            #expect(try await graph.send(.DELETE, "/applications/\(id)").status == 204)
            #expect(try await graph.send(.GET, "/applications/\(id)").status == 404)
        }
    }

    @Test func `an application becomes an API, and its role is assigned and removed`() async throws {
        try await GraphBench.run { graph in
            let body = #"""
                {"displayName": "Reports", "identifierUris": ["api://reports"],
                 "api": {"requestedAccessTokenVersion": 2, "oauth2PermissionScopes": [{"value": "Reports.Read", "type": "User"}]},
                 "appRoles": [{"value": "Reports.Read.All", "displayName": "Read all reports"}]}
                """#
            let made = try await graph.send(.POST, "/applications", body)
            let clientID = try #require(try made.json()["appId"] as? String)
            _ = try await graph.create("/servicePrincipals", #"{"appId": "\#(clientID)"}"#)
            let resource = try await Self.principal(graph, clientID)
            let service = try await Self.principal(graph, Seed().serviceClientID)
            let role = try #require((resource["appRoles"] as? [[String: Any]])?.first?["id"] as? String)
            let client = try #require(service["id"] as? String)
            let resourceID = try #require(resource["id"] as? String)
            let assignment =
                #"{"principalId": "\#(client)", "resourceId": "\#(resourceID)", "appRoleId": "\#(role)"}"#
            let path = "/servicePrincipals/\(client)/appRoleAssignments"
            let id = try await graph.create(path, assignment)
            let form = [
                "grant_type": "client_credentials", "client_id": Seed().serviceClientID,
                "client_secret": Seed().serviceSecret, "scope": "api://reports/.default",
            ]
            let token = try await graph.bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
            let claims = try Bench.claims(token.json()["access_token"])
            let assignedTo = try await graph.values(
                "principalId",
                at: "/servicePrincipals/\(resourceID)/appRoleAssignedTo"
            )

            #expect(claims["roles"] as? [String] == ["Reports.Read.All"])
            #expect(assignedTo == [client])
            #expect(try await graph.send(.POST, path, assignment).status == 400)
            #expect(try await graph.send(.DELETE, "\(path)/\(id)").status == 204)
            #expect(try await graph.values("id", at: "/servicePrincipals/\(resourceID)/appRoleAssignedTo").isEmpty)
        }
    }

    @Test func `a grant for all users makes consent unnecessary`() async throws {
        try await GraphBench.run { graph in
            let client = try #require(await Self.principal(graph, graph.bench.emulator.seed.clientID)["id"] as? String)
            let audience = "00000003-0000-0000-c000-000000000000"
            let resource = try #require(await Self.principal(graph, audience)["id"] as? String)
            let body = #"""
                {"clientId": "\#(client)", "consentType": "AllPrincipals", "resourceId": "\#(resource)",
                 "scope": "Chat.Read openid"}
                """#
            let id = try await graph.create("/oauth2PermissionGrants", body)
            let path = "/oauth2PermissionGrants/\(id)"
            let scope = try await graph.send(.GET, path).json()["scope"] as? String
            let changed = try await graph.send(.PATCH, path, #"{"scope": "Chat.Read Mail.Read"}"#)
            let known = try await graph.bench.emulator.directory().applications[0].grantedScopes[audience]

            #expect(scope == "Chat.Read" && changed.status == 204)
            #expect(Set(known ?? []) == ["Chat.Read", "Mail.Read"])
            #expect(try await graph.send(.PATCH, path, #"{"scope": "Nothing.Read"}"#).status == 400)
            #expect(try await graph.send(.DELETE, path).status == 204)
            #expect(try await graph.send(.GET, path).status == 404)
        }
    }
}
