// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The query options of Microsoft Graph.
struct GraphQueryTests {
    @Test(arguments: [
        ("startsWith(displayName,'meg')", ["Megan Bowen"]),
        ("startswith(displayName, 'MEG') or surname eq 'wilber'", ["Megan Bowen", "Alex Wilber"]),
        ("jobTitle eq null and accountEnabled eq true", ["Robin Guest"]),
        ("userPrincipalName in ('alex@contoso.example', 'nobody@contoso.example')", ["Alex Wilber"]),
        ("(jobTitle eq 'Administrator' or jobTitle eq 'Marketing Manager') and givenName eq 'Alex'", ["Alex Wilber"]),
        ("userType eq 'Guest'", ["Robin Guest"]), ("displayName eq 'O''Brien'", []),
    ])
    func `a filter returns the matching users`(filter: String, names: [String]) async throws {
        try await GraphBench.run { graph in
            let found = try await graph.values("displayName", at: "/users?$filter=\(filter)")

            #expect(found == names)
        }
    }

    @Test func `ne and not need the header and the count, as at the service`() async throws {
        try await GraphBench.run { graph in
            let path = "/users?$count=true&$filter=not startsWith(displayName,'Megan') and userType ne 'Guest'"
            let refused = try await graph.send(.GET, path)
            let response = try await graph.send(.GET, path, isEventual: true)

            #expect(refused.status == 400 && refused.text.contains("Request_UnsupportedQuery"))
            #expect(try response.json()["@odata.count"] as? Int == 1)
            #expect(try GraphBench.elements(response).map { $0["displayName"] as? String } == ["Alex Wilber"])
        }
    }

    @Test(arguments: [
        ("displayName eq", "BadRequest"), ("displayName", "BadRequest"), ("'a' eq displayName", "BadRequest"),
        ("(displayName eq 'a'", "BadRequest"), ("displayName eq 'a", "BadRequest"), ("nickname eq 'a'", "BadRequest"),
        ("displayName eq 'a' displayName", "BadRequest"), ("id eq 11111111-1111", "BadRequest"),
        ("contains(displayName,'a')", "Request_UnsupportedQuery"), ("displayName gt 'a'", "Request_UnsupportedQuery"),
        ("businessPhones/all(p:p eq '1')", "Request_UnsupportedQuery"),
        (Array(repeating: "id eq '1'", count: 33).joined(separator: " or "), "Request_UnsupportedQuery"),
        (String(repeating: "(", count: 40), "Request_UnsupportedQuery"),
        ("id eq '\(String(repeating: "1", count: 2_000))'", "Request_UnsupportedQuery"),
    ])
    func `an invalid or unsupported filter is rejected`(filter: String, code: String) async throws {
        try await GraphBench.run { graph in
            let response = try await graph.send(.GET, "/users?$filter=\(filter)")

            #expect(response.status == 400)
            #expect(try GraphBench.code(response) == code)
        }
    }

    @Test func `pages in an order have every user once`() async throws {
        try await GraphBench.run { graph in
            var names: [String] = []
            var next: String? = "/users?$top=1&$orderby=displayName desc&$select=id,displayName"
            while let address = next, names.count < 20 {
                let page = try await graph.send(.GET, address)
                let elements = try GraphBench.elements(page)
                #expect(elements.count <= 1 && elements.allSatisfy { Set($0.keys) == ["id", "displayName"] })
                names += elements.compactMap { $0["displayName"] as? String }
                next = try page.json()["@odata.nextLink"] as? String
            }

            #expect(names == ["Robin Guest", "Megan Bowen", "Alex Wilber"])
        }
    }

    @Test func `a search finds the beginnings of words, with its header`() async throws {
        try await GraphBench.run { graph in
            let path = #"/users?$search="displayName:bow" OR "jobTitle:admin""#
            let refused = try await graph.send(.GET, path)

            #expect(refused.status == 400 && refused.text.contains("ConsistencyLevel"))
            #expect(try await graph.values("givenName", at: path, isEventual: true) == ["Megan", "Alex"])
            #expect(try await graph.send(.GET, "/users?$search=meg", isEventual: true).status == 400)
        }
    }

    @Test func `users are counted`() async throws {
        try await GraphBench.run { graph in
            let count = try await graph.send(.GET, "/users/$count", isEventual: true)

            #expect(count.text == "3" && count.headers.first(name: "content-type")?.hasPrefix("text/plain") == true)
            #expect(try await graph.send(.GET, "/users/$count").status == 400)
            #expect(try await graph.send(.GET, "/users?$skip=1").text.contains("Request_UnsupportedQuery"))
        }
    }

    @Test func `members are shown with their group`() async throws {
        try await GraphBench.run { graph in
            let response = try await graph.send(.GET, "/groups?$expand=members($select=id,displayName)")
            let groups = try GraphBench.elements(response)
            let members = groups.first?["members"] as? [[String: Any]]

            #expect(groups.count == 2)
            #expect(members?.first?["displayName"] as? String == "Megan Bowen")
            #expect(members?.first?["jobTitle"] == nil)
            #expect(try await graph.send(.GET, "/groups?$expand=owners").status == 400)
        }
    }

    @Test func `thousands of users are searched`() async throws {
        try await GraphBench.run({ configuration in
            configuration.directory.users += (0..<2_000).map { number in
                .init(
                    id: String(format: "99999999-0000-4000-8000-%012d", number),
                    tenant: Bench.tenant,
                    userPrincipalName: "person\(number)@contoso.example",
                    displayName: "Person \(number)",
                    password: "Pa55-word!"
                )
            }
        }) { graph in
            let path = "/users?$filter=startsWith(displayName,'Person 19')&$top=999"
            let found = try await graph.values("userPrincipalName", at: path)
            _ = try await graph.send(.PATCH, "/users/person19@contoso.example", #"{"displayName": "Somebody"}"#)

            #expect(found.count == 111)
            #expect(try await graph.values("userPrincipalName", at: path).count == 110)
        }
    }
}
