// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Batches and delta queries of Microsoft Graph.
struct GraphBatchTests {
    private static func responses(_ response: Bench.Response) throws -> [String: [String: Any]] {
        let list = try #require(try response.json()["responses"] as? [[String: Any]])
        return Dictionary(list.compactMap { one in (one["id"] as? String).map { ($0, one) } }) { first, _ in first }
    }

    @Test func `requests of a batch run after those that they depend on`() async throws {
        try await GraphBench.run { graph in
            let body = #"""
                {"requests": [
                  {"id": "3", "method": "GET", "url": "/me", "dependsOn": ["2"]},
                  {"id": "2", "method": "GET", "url": "/users/nobody@contoso.example", "dependsOn": ["1"]},
                  {"id": "1", "method": "PATCH", "url": "/users/megan@contoso.example", "body": {"jobTitle": "Batched"}},
                  {"id": "4", "method": "GET", "url": "/users/megan@contoso.example?$select=jobTitle", "dependsOn": ["1"]},
                  {"id": "5", "method": "GET", "url": "/users/$count", "headers": {"ConsistencyLevel": "eventual"}}
                ]}
                """#
            let responses = try Self.responses(await graph.send(.POST, "/$batch", body))

            #expect(responses.mapValues { $0["status"] as? Int } == ["1": 204, "2": 404, "3": 424, "4": 200, "5": 200])
            #expect((responses["4"]?["body"] as? [String: Any])?["jobTitle"] as? String == "Batched")
        }
    }

    @Test(arguments: [
        "", "{}", #"{"requests": [{"id": "1", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me"}]}"#,
        #"{"requests": [{"id": "1", "method": "GET", "url": "/me", "dependsOn": ["2"]}]}"#,
        #"{"requests": [{"id": "1", "method": "GET", "url": "/me", "dependsOn": ["1"]}]}"#,
        #"{"requests": [\#((0...20).map { #"{"id": "\#($0)", "method": "GET", "url": "/me"}"# }.joined(separator: ","))]}"#,
    ])
    func `an invalid batch is rejected`(body: String) async throws {
        try await GraphBench.run { graph in
            let response = try await graph.send(.POST, "/$batch", body)

            #expect(response.status == 400)
        }
    }

    @Test func `a delta link returns later changes`() async throws {
        try await GraphBench.run { graph in
            let first = try await graph.send(.GET, "/users/delta?$select=displayName&$top=2")
            let next = try #require(try first.json()["@odata.nextLink"] as? String)
            let second = try await graph.send(.GET, next)
            let link = try #require(try second.json()["@odata.deltaLink"] as? String)
            let nothing = try await graph.send(.GET, link)
            _ = try await graph.send(.PATCH, "/users/megan@contoso.example", #"{"displayName": "Megan Changed"}"#)
            _ = try await graph.send(.DELETE, "/users/guest@fabrikam.example")
            let changes = try GraphBench.elements(await graph.send(.GET, link))

            #expect(try GraphBench.elements(first).count + GraphBench.elements(second).count == 3)
            #expect(try GraphBench.elements(nothing).isEmpty)
            #expect(changes.count == 2 && changes.first?["displayName"] as? String == "Megan Changed")
            #expect(changes.last?["@removed"] is [String: Any])
            #expect(try await graph.send(.GET, "/users/delta?$deltatoken=unknown").status == 410)
        }
    }

    @Test func `the delta of a group has its members`() async throws {
        try await GraphBench.run { graph in
            let latest = try await graph.send(.GET, "/groups/delta?$deltatoken=latest")
            let link = try #require(try latest.json()["@odata.deltaLink"] as? String)
            let group = try #require(await graph.values("id", at: "/groups?$filter=displayName eq 'Marketing'").first)
            let megan = try #require(await graph.values("id", at: "/groups/\(group)/members").first)
            _ = try await graph.send(.DELETE, "/groups/\(group)/members/\(megan)/$ref")
            let change = try GraphBench.elements(await graph.send(.GET, link)).first
            let members = change?["members@delta"] as? [[String: Any]]

            #expect(try GraphBench.elements(latest).isEmpty)
            #expect(change?["id"] as? String == group)
            #expect(members?.first?["id"] as? String == megan && members?.first?["@removed"] != nil)
        }
    }
}
