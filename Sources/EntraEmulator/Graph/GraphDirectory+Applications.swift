// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// An application, an API, or a managed identity in a tenant.
struct GraphPrincipal: Sendable {
    let id: String
    let clientID: String
    let displayName: String
    let api: API?
    var requiresAssignment = false
    var isManagedIdentity = false
    /// The agent that the principal stands for.
    var agent: EmulatorDirectory.Agent?
}

/// An app role assignment.
struct GraphRoleAssignment: Sendable {
    let principalID: String
    let principalName: String
    /// `User`, `Group` or `ServicePrincipal`.
    let principalType: String
    let resource: GraphPrincipal
    /// The ID of the role. It consists of zeros if the application has no roles.
    let roleID: String
    /// The value of the role; `nil` for an assignment without one.
    let value: String?

    var id: String { UUID.derived(from: "role assignment", principalID, resource.id, roleID).text }
    /// The role of all assignments to an application without roles.
    static let noRole = "00000000-0000-0000-0000-000000000000"
}

/// Delegated permissions granted to an application.
struct GraphPermissionGrant: Sendable {
    let client: GraphPrincipal
    let resource: GraphPrincipal
    /// The object ID of the user; `nil` if the grant applies to all users.
    let userID: String?
    let scopes: [String]

    var id: String { UUID.derived(from: "permission grant", client.id, resource.id, userID ?? "").text }
}

/// Applications, and the permissions granted to them.
extension GraphDirectory {
    var applications: [EmulatorDirectory.Application] { directory.description.applications }

    /// The application with this object ID, or with the client ID of `appid=`.
    func application(_ key: String) throws(GraphFault) -> EmulatorDirectory.Application {
        let clientID = key.hasPrefix("appid=") ? key.dropFirst("appid=".count).lowercased() : nil
        let found = applications.first { clientID.map($0.clientID.lowercased().elementsEqual) ?? ($0.objectID == key) }
        guard let found else { throw .notFound(key) }
        return found
    }

    /// Whether an application has a service principal in the tenant.
    func hasPrincipal(_ application: EmulatorDirectory.Application) -> Bool {
        application.servicePrincipals.map { $0.contains(where: tenant.isNamed) } ?? true
    }

    /// The properties of a registration that Microsoft Graph reads and writes under the names of ``FileObject``.
    func settings(of application: EmulatorDirectory.Application) -> JSONValue {
        func properties<Entry: FileEntry>(_ entry: Entry) -> JSONValue {
            // An entry of a valid directory can be encoded.
            Entry.form.object.graphProperties(of: (try? FileWriter().value(of: entry)) ?? .null)
        }
        var blank = API(audience: "", displayName: "", scopes: [])
        blank.acceptedTokenVersion = 1
        let api = directory.api(audience: application.clientID)
        var settings = properties(application).overlaid(by: properties(api ?? blank))
        if api == nil { settings.set(.null, at: ["api", "requestedAccessTokenVersion"]) }
        settings.set(.array(api?.graphScopes ?? []), at: ["api", "oauth2PermissionScopes"])
        settings.set([], at: ["optionalClaims", "saml2Token"])
        let platforms = application.platforms
        for (platform, uris) in [("publicClient", platforms.native), ("web", platforms.web), ("spa", platforms.page)] {
            settings.set(.strings(uris), at: [platform, "redirectUris"])
        }
        return settings
    }

    /// The full names of all directory extensions.
    var extensionNames: Set<String> {
        Set(
            applications.flatMap { app in app.extensionProperties.map { DirectoryExtension.name($0, of: app.clientID) }
            }
        )
    }

    /// A directory extension that an application defines.
    static func extensionProperty(
        _ name: String,
        of application: EmulatorDirectory.Application
    ) -> [String: JSONValue] {
        let name = DirectoryExtension.name(name, of: application.clientID)
        return [
            "id": .string(UUID.derived(from: "extension property", name).text), "name": .string(name),
            "appDisplayName": .string(application.displayName), "dataType": "String", "targetObjects": ["User"],
            "isMultiValued": false, "isSyncedFromOnPremises": false, "deletedDateTime": .null,
        ]
    }

    /// The service principals of the agents in the tenant.
    var agents: [GraphPrincipal] {
        directory.description.agents.filter { $0.tenant == tenant.id }.map { agent in
            GraphPrincipal(id: agent.id, clientID: agent.id, displayName: agent.displayName, api: nil, agent: agent)
        }
    }

    /// The permissions of an agent by audience, without those that it inherits.
    func ownGrants(of grants: [String: [String]]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (name, values) in grants {
            guard let api = directory.api(identifier: name) else { continue }
            found[api.audience, default: []] += values
        }
        return found
    }

    /// The service principals: one per tenant for each application, and for each API without a registration.
    var principals: [GraphPrincipal] {
        let described = directory.description
        var found = described.applications.filter(hasPrincipal).map { application in
            GraphPrincipal(
                id: tenant.servicePrincipalID(of: application.clientID),
                clientID: application.clientID,
                displayName: application.displayName,
                api: directory.api(audience: application.clientID),
                requiresAssignment: application.assignmentRequired
            )
        }
        let known = Set(found.map { $0.clientID.lowercased() })
        found += directory.apis.filter { !known.contains($0.audience.lowercased()) }.map { api in
            GraphPrincipal(
                id: tenant.servicePrincipalID(of: api.audience),
                clientID: api.audience,
                displayName: api.displayName,
                api: api
            )
        }
        found += described.managedIdentities.filter { $0.tenant == tenant.id }.map { identity in
            GraphPrincipal(
                id: identity.objectID,
                clientID: identity.clientID,
                displayName: identity.name,
                api: nil,
                isManagedIdentity: true
            )
        }
        return found + agents
    }

    /// The service principal with this object ID, or with the client ID of `appid=`.
    func principal(_ key: String) throws(GraphFault) -> GraphPrincipal {
        let clientID = key.hasPrefix("appid=") ? key.dropFirst("appid=".count).lowercased() : nil
        let found = principals.first { clientID.map($0.clientID.lowercased().elementsEqual) ?? ($0.id == key) }
        guard let found else { throw .notFound(key) }
        return found
    }

    // MARK: Roles

    func objects(_ assignments: [GraphRoleAssignment]) -> GraphRelated {
        .many(assignments.map { GraphTypes.roleAssignment.object($0, in: self) })
    }

    /// All app role assignments in the tenant.
    func roleAssignments() async throws -> [GraphRoleAssignment] {
        let principals = principals
        let byClient = Dictionary(principals.map { ($0.clientID.lowercased(), $0) }) { first, _ in first }
        var found: [GraphRoleAssignment] = []
        let granted =
            directory.applications.map { ($0.clientID, $0.grantedRoles) }
            + directory.managedIdentities.map { ($0.clientID, $0.grantedRoles) }
            + directory.description.agents.map { ($0.id, ownGrants(of: $0.grantedRoles)) }
        for (clientID, roles) in granted {
            guard let principal = byClient[clientID.lowercased()] else { continue }
            for (audience, values) in roles.sorted(by: { $0.key < $1.key }) {
                guard let resource = byClient[audience.lowercased()], let api = resource.api else { continue }
                found += values.map { value in
                    GraphRoleAssignment(
                        principalID: principal.id,
                        principalName: principal.displayName,
                        principalType: "ServicePrincipal",
                        resource: resource,
                        roleID: api.roleID(of: value),
                        value: value
                    )
                }
            }
        }
        for api in directory.apis {
            guard let resource = byClient[api.audience.lowercased()] else { continue }
            for role in api.roles {
                for name in role.members {
                    found += try await assignment(of: name, to: resource, role: role.value).map { [$0] } ?? []
                }
            }
        }
        for application in applications where application.assignmentRequired {
            guard let resource = byClient[application.clientID.lowercased()] else { continue }
            for name in application.assignedTo {
                found += try await assignment(of: name, to: resource, role: nil).map { [$0] } ?? []
            }
        }
        return found
    }

    /// The assignment of a user or a group; `nil` if the name does not exist in the tenant.
    private func assignment(
        of name: String,
        to resource: GraphPrincipal,
        role: String?
    ) async throws -> GraphRoleAssignment? {
        let roleID = role.flatMap { resource.api?.roleID(of: $0) } ?? GraphRoleAssignment.noRole
        func assignment(_ id: String, named displayName: String, type: String) -> GraphRoleAssignment {
            GraphRoleAssignment(
                principalID: id,
                principalName: displayName,
                principalType: type,
                resource: resource,
                roleID: roleID,
                value: role
            )
        }
        if let user = try? await user(name), let id = user.objectID(in: tenant.id) {
            return assignment(id, named: user.displayName, type: "User")
        }
        let lowered = name.lowercased()
        return groups.first { $0.id == lowered || $0.displayName.lowercased() == lowered }
            .map { assignment($0.id, named: $0.displayName, type: "Group") }
    }

    // MARK: Grants

    func objects(_ grants: [GraphPermissionGrant]) -> GraphRelated {
        .many(grants.map { GraphTypes.permissionGrant.object($0, in: self) })
    }

    /// The permissions that administrators and users have consented to.
    func permissionGrants() throws -> [GraphPermissionGrant] {
        let byClient = Dictionary(principals.map { ($0.clientID.lowercased(), $0) }) { first, _ in first }
        var scopes: [[String]: Set<String>] = [:]
        let granted =
            directory.applications.map { ($0.clientID, $0.grantedScopes) }
            + directory.description.agents.map { ($0.id, ownGrants(of: $0.grantedScopes)) }
        for (clientID, grants) in granted {
            for (audience, names) in grants {
                let all = names.contains("*") ? directory.api(audience: audience)?.scopes.map(\.name) ?? [] : names
                scopes[[clientID.lowercased(), audience.lowercased(), ""], default: []].formUnion(all)
            }
        }
        let objectIDs = try store.accounts(in: tenant.id).map { ($0.id, $0.objectID(in: tenant.id) ?? $0.id) }
        let users = Dictionary(objectIDs) { first, _ in first }
        for consent in try store.consents() where !consent.audience.isEmpty {
            let isEverybody = consent.user == Consents.adminConsentUserID(in: tenant)
            guard let user = isEverybody ? "" : users[consent.user] else { continue }
            scopes[[consent.client.lowercased(), consent.audience.lowercased(), user], default: []].insert(
                consent.scope
            )
        }
        return scopes.compactMap { key, names in
            guard let client = byClient[key[0]], let resource = byClient[key[1]] else { return nil }
            return GraphPermissionGrant(
                client: client,
                resource: resource,
                userID: key[2].isEmpty ? nil : key[2],
                scopes: Array(names)
            )
        }
    }
}

extension EmulatorDirectory.Application {
    /// The object ID of the registration.
    var objectID: String { UUID.derived(from: "application", clientID).text }

    /// The redirect URIs by Graph's platforms.
    var platforms: (native: [String], web: [String], page: [String]) {
        switch kind {
        case .publicClient: (redirectURIs, webRedirectURIs, singlePageRedirectURIs)
        case .web, .api: ([], redirectURIs + webRedirectURIs, singlePageRedirectURIs)
        case .singlePage: ([], webRedirectURIs, redirectURIs + singlePageRedirectURIs)
        }
    }
}

extension EmulatorDirectory.ClientSecret {
    /// The secret without its value.
    func graphMembers(of clientID: String) -> JSONValue {
        [
            "displayName": name.map { .string($0) } ?? .null, "keyId": .string(keyID(of: clientID)),
            "endDateTime": GraphTypes.time(expiresAt), "hint": .string(String(value.prefix(3))), "secretText": .null,
        ]
    }

    /// The ID by which Graph removes it.
    func keyID(of clientID: String) -> String { UUID.derived(from: "secret", clientID, value).text }
}

extension API {
    /// The ID of an app role.
    func roleID(of value: String) -> String {
        let known = isGraph ? GraphPermissions.shared.roles[value.lowercased()]?.id : nil
        return known ?? UUID.derived(from: "app role", audience, value).text
    }

    /// The value of the app role with this ID.
    func roleValue(id: String) -> String? {
        if let listed = roles.first(where: { roleID(of: $0.value) == id.lowercased() }) { return listed.value }
        return isGraph ? GraphPermissions.shared.roles.values.first { $0.id == id.lowercased() }?.name : nil
    }

    /// `appRoles`.
    var graphRoles: [JSONValue] {
        let known = isGraph ? GraphPermissions.shared.roles.values.sorted { $0.name < $1.name } : []
        let names = known.isEmpty ? roles.map { ($0.value, $0.summary) } : known.map { ($0.name, $0.name) }
        return names.map { value, summary in
            [
                "id": .string(roleID(of: value)), "value": .string(value), "displayName": .string(summary),
                "description": .string(summary), "isEnabled": true, "allowedMemberTypes": ["Application", "User"],
            ]
        }
    }

    /// `oauth2PermissionScopes`.
    var graphScopes: [JSONValue] {
        let known = isGraph ? GraphPermissions.shared.scopes.values.sorted { $0.name < $1.name } : []
        let all = known.isEmpty ? scopes : known.compactMap { scope(named: $0.name) }
        return all.map { scope in
            let id = isGraph ? GraphPermissions.shared.scopes[scope.name.lowercased()]?.id : nil
            return [
                "id": .string(id ?? UUID.derived(from: "scope", audience, scope.name).text),
                "value": .string(scope.name), "type": scope.isAdministratorOnly ? "Admin" : "User", "isEnabled": true,
                "adminConsentDisplayName": .string(scope.summary), "adminConsentDescription": .string(scope.summary),
                "userConsentDisplayName": .string(scope.summary), "userConsentDescription": .string(scope.summary),
            ]
        }
    }
}
