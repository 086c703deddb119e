// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Users and groups that Microsoft Graph changes, and what it says of them then.
struct GraphDirectoryTests {
    private static let newUser = #"""
        {"accountEnabled": true, "displayName": "Kim Park", "mailNickname": "kim", "department": "Sales",
         "userPrincipalName": "kim@contoso.example",
         "passwordProfile": {"forceChangePasswordNextSignIn": false, "password": "Another-pass1"}}
        """#

    private static func group(_ name: String) -> String {
        #"{"displayName": "\#(name)", "mailEnabled": false, "mailNickname": "\#(name)", "securityEnabled": true}"#
    }

    private static func reference(_ id: String) -> String {
        #"{"@odata.id": "https://graph.microsoft.com/v1.0/directoryObjects/\#(id)"}"#
    }

    @Test func `a user is created, signs in, is changed and is removed`() async throws {
        try await GraphBench.run { graph in
            let id = try await graph.create("/users", Self.newUser)
            let signedIn = try await Browser(graph.bench).signIn(
                graph.bench.authorizeURL(),
                as: "kim@contoso.example",
                password: "Another-pass1"
            )
            let change = #"{"jobTitle": "Seller", "accountEnabled": false, "department": null}"#
            let changed = try await graph.send(.PATCH, "/users/\(id)", change)
            let shown = try await graph.send(.GET, "/users/\(id)?$select=jobTitle,department,accountEnabled").json()
            let entry = try await graph.bench.emulator.directory().users.first { $0.id == id }
            let removed = try await graph.send(.DELETE, "/users/\(id)")

            #expect(signedIn.parameters["code"] != nil)
            #expect(changed.status == 204 && removed.status == 204)
            #expect(shown["jobTitle"] as? String == "Seller" && shown["accountEnabled"] as? Bool == false)
            #expect(shown["department"] is NSNull)
            #expect(entry?.jobTitle == "Seller" && entry?.isEnabled == false)
            #expect(try await graph.send(.GET, "/users/\(id)").status == 404)
        }
    }

    /// Requests for a user, each with its status. They have a password, so they are no arguments of a test, which are
    /// printed.
    private static let refused = [
        ("{}", 400), ("[]", 400), (newUser.replacing("kim@contoso.example", with: "megan@contoso.example"), 400),
        (newUser.replacing("kim@contoso.example", with: "kim@elsewhere.example"), 400),
        (newUser.replacing("\"department\"", with: "\"extensionAttributes\""), 501),
        (newUser.replacing("\"Sales\"", with: "1"), 400),
    ]

    @Test func `an invalid user is rejected, and nothing changes`() async throws {
        try await GraphBench.run { graph in
            let before = try await graph.bench.emulator.directory().users.count
            for (body, status) in Self.refused {
                let response = try await graph.send(.POST, "/users", body)

                #expect(response.status == status, "\(response.text)")
            }
            #expect(try await graph.bench.emulator.directory().users.count == before)
        }
    }

    @Test func `nested groups count for members, tokens and queries`() async throws {
        try await GraphBench.run({ $0.directory.applications[0].optionalClaims = ["groups"] }) { graph in
            let outer = try await graph.create("/groups", Self.group("Outer"))
            let marketing = try #require(
                await graph.values("id", at: "/groups?$filter=displayName eq 'Marketing'").first
            )
            let added = try await graph.send(.POST, "/groups/\(outer)/members/$ref", Self.reference(marketing))
            let again = try await graph.send(.POST, "/groups/\(outer)/members/$ref", Self.reference(marketing))
            let megan = "megan@contoso.example"
            let body = #"{"groupIds": ["\#(outer)", "00000000-0000-0000-0000-000000000000"]}"#
            let check = try await graph.send(.POST, "/users/\(megan)/checkMemberGroups", body)
            let only = #"{"securityEnabledOnly": true}"#
            let all = try await graph.send(.POST, "/users/\(megan)/getMemberGroups", only)
            let claims = try Bench.claims(try await graph.bench.tokens()["id_token"])

            #expect(added.status == 204 && again.status == 400)
            #expect(try await graph.values("displayName", at: "/groups/\(outer)/members") == ["Marketing"])
            #expect(try await graph.values("id", at: "/groups/\(outer)/transitiveMembers").count == 2)
            #expect(try await !graph.values("id", at: "/users/\(megan)/memberOf").contains(outer))
            #expect(try await graph.values("id", at: "/users/\(megan)/transitiveMemberOf").contains(outer))
            let typed = "/users/\(megan)/transitiveMemberOf/microsoft.graph.group"
            #expect(try await graph.values("id", at: typed).count == 3)
            #expect(try check.json()["value"] as? [String] == [outer])
            #expect((try all.json()["value"] as? [String])?.count == 3)
            #expect((claims["groups"] as? [String])?.contains(outer) == true)
            #expect(try await graph.send(.DELETE, "/groups/\(outer)/members/\(marketing)/$ref").status == 204)
            #expect(try await graph.values("id", at: "/groups/\(outer)/members").isEmpty)
            #expect(try await graph.send(.DELETE, "/groups/\(outer)").status == 204)
        }
    }

    @Test func `a group is created with its members, and the control API returns it`() async throws {
        try await GraphBench.run { graph in
            let megan = try #require(try await graph.send(.GET, "/users/megan@contoso.example").json()["id"] as? String)
            let body =
                Self.group("Readers").dropLast()
                + #", "description": "Who reads", "members@odata.bind": ["https://graph.microsoft.com/v1.0/users/\#(megan)"]}"#
            let id = try await graph.create("/groups", String(body))
            let changed = try await graph.send(.PATCH, "/groups/\(id)", #"{"displayName": "Writers"}"#)
            let entry = try await graph.bench.emulator.directory().groups.first { $0.id == id }

            #expect(changed.status == 204)
            #expect(entry?.displayName == "Writers" && entry?.summary == "Who reads" && entry?.members == [megan])
            #expect(entry?.mailNickname == "Readers")
            let unified = Self.group("Team").replacing("\"mailEnabled\": false", with: "\"mailEnabled\": true")
            #expect(try await graph.send(.POST, "/groups", unified).status == 501)
        }
    }

    @Test func `a manager has direct reports, and a photo is kept`() async throws {
        try await GraphBench.run { graph in
            let alex = try #require(try await graph.send(.GET, "/me").json()["id"] as? String)
            let set = try await graph.send(.PUT, "/users/megan@contoso.example/manager/$ref", Self.reference(alex))
            let manager = try await graph.send(.GET, "/users/megan@contoso.example/manager").json()
            let none = try await graph.send(.GET, "/me/photo/$value")
            let kept = try await graph.send(.PUT, "/users/\(alex)/photo/$value", "\u{7F}JPEG")
            let photo = try await graph.send(.GET, "/me/photo/$value")

            #expect(set.status == 204 && manager["displayName"] as? String == "Alex Wilber")
            #expect(try await graph.values("displayName", at: "/users/\(alex)/directReports") == ["Megan Bowen"])
            #expect(try await graph.send(.GET, "/users/\(alex)/manager").status == 404)
            #expect(none.status == 404 && none.text.contains("ImageNotFound"))
            #expect(kept.status == 200 && photo.text == "\u{7F}JPEG")
            #expect(photo.headers.first(name: "content-type") == "image/jpeg")
        }
    }

    @Test func `an organization, and objects by their ids`() async throws {
        try await GraphBench.run { graph in
            let tenant = try GraphBench.elements(await graph.send(.GET, "/organization")).first
            let group = try #require(await graph.values("id", at: "/groups").first)
            let object = try await graph.send(.GET, "/directoryObjects/\(group)").json()
            let body = #"{"ids": ["\#(group)", "00000000-0000-0000-0000-000000000000"], "types": ["group"]}"#
            let found = try await graph.send(.POST, "/directoryObjects/getByIds", body)

            #expect(tenant?["id"] as? String == Bench.tenant && tenant?["displayName"] as? String == "Contoso")
            #expect(object["@odata.type"] as? String == "#microsoft.graph.group")
            #expect(try GraphBench.elements(found).map { $0["id"] as? String } == [group])
        }
    }

    @Test func `sign-ins are listed with their reasons`() async throws {
        try await GraphBench.run { graph in
            _ = try await graph.bench.tokens()
            let entry = try #require(try GraphBench.elements(await graph.send(.GET, "/auditLogs/signIns")).first)
            let filter =
                "/auditLogs/signIns?$filter=status/errorCode eq 0 and userPrincipalName eq 'megan@contoso.example'"

            #expect(entry["userPrincipalName"] as? String == "megan@contoso.example")
            #expect((entry["status"] as? [String: Any])?["errorCode"] as? Int == 0)
            #expect(try await !graph.values("id", at: filter).isEmpty)
        }
    }
}
