// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The operators of `$filter`, with the users and sign-ins that they find.
struct GraphFilterTests {
    @Test(
        arguments: [
            ("/users?$count=true&$filter=endsWith(mail,'@contoso.example')", ["Alex", "Megan"]),
            ("/users?$count=true&$filter=assignedLicenses/$count eq 0 and surname eq 'Bowen'", ["Megan"]),
            ("/users?$count=true&$filter=businessPhones/$count ge 1", ["Megan"]),
            ("/users?$filter=businessPhones/any(p:p eq '+1 555 0100')", ["Megan"]),
            ("/users?$filter=businessPhones/any(p:startsWith(p,'+1') and p ne 'x')&$count=true", ["Megan"]),
            ("/users?$filter=userPrincipalName eq 'guest_fabrikam.example#EXT#@contoso.example'", ["Robin"]),
            ("/users?$filter=userType eq 'Guest'", ["Robin"]),
        ]
    )
    func `a filter finds the matching users`(path: String, names: [String]) async throws {
        try await GraphBench.run { graph in
            let found = try await graph.values("givenName", at: path, isEventual: true)

            #expect(found.sorted() == names)
        }
    }

    @Test(arguments: ["endsWith(mail,'e')", "assignedLicenses/$count eq 0", "not endsWith(mail,'e')"])
    func `an advanced filter needs its header and a count`(filter: String) async throws {
        try await GraphBench.run { graph in
            let plain = try await graph.send(.GET, "/users?$filter=\(filter)")
            let uncounted = try await graph.send(.GET, "/users?$filter=\(filter)", isEventual: true)

            #expect(plain.status == 400 && uncounted.status == 400)
            #expect(try GraphBench.code(plain) == "Request_UnsupportedQuery")
        }
    }

    @Test(
        arguments: [
            "groupTypes/any(c)", "groupTypes/any(c:d eq 'x')", "groupTypes/any(c:c eq 'x'", "displayName ge",
            "displayName like 'x'", "contains(displayName,'x')", "displayName eq 2024-13-01", "displayName eq :",
        ]
    )
    func `an invalid filter is rejected`(filter: String) async throws {
        try await GraphBench.run { graph in
            let response = try await graph.send(.GET, "/groups?$filter=\(filter)")

            #expect(response.status == 400)
        }
    }

    @Test func `sign-ins are filtered by date, and the newest come first`() async throws {
        var policy = EmulatorDirectory.AccessPolicy(name: "All", grant: [.mfa])
        policy.mode = .reportOnly
        try await GraphBench.run({ [policy] in $0.directory.policies = [policy] }) { graph in
            _ = try await Browser(graph.bench).signIn(graph.bench.authorizeURL())
            let path = "/auditLogs/signIns?$filter=createdDateTime"

            #expect(try await !graph.values("id", at: "\(path) ge 2024-01-01T00:00:00Z").isEmpty)
            #expect(
                try await !graph.values("id", at: "\(path) gt 2024-01-01 and createdDateTime lt 2190-01-01").isEmpty
            )
            #expect(try await graph.values("id", at: "\(path) lt 2024-01-01T00:00:00Z").isEmpty)
        }
    }

    @Test func `a guest is found by the external form of the name`() async throws {
        try await GraphBench.run { graph in
            let user = try await graph.send(.GET, "/users/guest_fabrikam.example#EXT#@contoso.example")
            let other = try await graph.send(.GET, "/users/guest_fabrikam.example#EXT#@fabrikam.example")

            #expect(user.status == 200, "\(user.text)")
            #expect(try user.json()["givenName"] as? String == "Robin")
            #expect(other.status == 404)
        }
    }
}
