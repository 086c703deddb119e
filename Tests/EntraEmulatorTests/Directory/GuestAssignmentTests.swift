// Licensed under the MIT License. See LICENSE.

import Testing

@testable import EntraEmulator

/// The roles and the applications of a guest.
struct GuestAssignmentTests {
    @Test func `a guest has what is given to the object ID in the tenant`() throws {
        let guestID = "aaaaaaaa-0000-4000-8000-000000000009"
        var description = EmulatorDirectory.seed
        description.applications[0].assignmentRequired = true
        description.applications[0].assignedTo = [guestID]
        description.apis[0].roles = [EmulatorDirectory.API.Role(value: "Reader", members: [guestID])]
        let directory = try ServedDirectory(description)

        let guest = try #require(directory.users.first { $0.userPrincipalName == "guest@fabrikam.example" })
        let tenant = try #require(directory.tenant(named: "contoso.example"))

        #expect(guest.objectID(in: tenant.id) == guestID)
        #expect(directory.isAssigned(guest, in: tenant, to: directory.applications[0]))
        #expect(directory.roles(of: guest, in: tenant, at: directory.apis[0]) == ["Reader"])
    }
}
