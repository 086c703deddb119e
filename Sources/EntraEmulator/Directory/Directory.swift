// Licensed under the MIT License. See LICENSE.

/// Everything the platform knows that does not change while it runs: tenants, applications and APIs.
struct Directory: Sendable {
    let tenants: [Tenant]
    let applications: [AppRegistration]
    let resources: [Resource]

    /// The tenant with that id.
    func tenant(id: String) -> Tenant? {
        tenants.first { $0.id == id }
    }

    /// What a path segment selects; `nil` when no tenant has that name (AADSTS90002).
    func selector(for segment: String) -> TenantSelector? {
        switch segment.lowercased() {
        case "common": .common
        case "organizations": .organizations
        case "consumers": .consumers
        default: tenants.first { $0.answers(to: segment) }.map { .tenant($0) }
        }
    }

    /// The application with that client id; letter case does not matter.
    func application(_ clientID: String) -> AppRegistration? {
        applications.first { $0.clientID.lowercased() == clientID.lowercased() }
    }

    /// The API that a scope prefix names.
    func resource(identifier: String) -> Resource? {
        let identifier = identifier.lowercased()
        return resources.first { resource in
            resource.identifiers.contains { $0.lowercased() == identifier }
        }
    }

    /// The API whose tokens carry that audience.
    func resource(audience: String) -> Resource? {
        resources.first { $0.audience == audience }
    }

    /// Microsoft Graph.
    var graph: Resource? {
        resources.first(where: \.isGraph)
    }
}
