// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// Changes of applications, and of the permissions granted to them.
extension EmulatedGraphRequest {
    private static let maximumRedirectURIs = 256

    // MARK: Applications

    func changeApplications(_ editor: ServedDirectoryEditor, now: Date) throws -> GraphReply {
        if try makesObject() {
            let sent = try members()
            var application = EmulatorDirectory.Application(
                clientID: UUID.random().text,
                displayName: try required("displayName", in: sent),
                redirectURIs: []
            )
            // Microsoft Graph, "application resource type": the default of `signInAudience`.
            application.signInAudience = .ownOrganization
            application.tenant = graph.tenant.domain
            application.servicePrincipals = []
            try Self.write(sent, to: &application)
            application.isAgentBlueprint = agentType == .blueprint
            let api = try Self.api(sent, of: application, before: nil)
            let finished = application
            try editor.change { directory in
                directory.applications.append(finished)
                if let api { directory.apis.append(api) }
            }
            // Members without an effect in the emulator are returned unchanged, so that the caller finds everything
            // that it sent.
            return created(GraphTypes.application.object(finished, in: graph), besides: sent)
        }
        let application = try graph.application(key)
        switch (exchange.method, address.part, address.tail) {
        case (.patch, nil, .none):
            let sent = try members()
            let api = try Self.api(sent, of: application, before: graph.directory.api(audience: application.clientID))
            try edit(application, with: editor) { directory, index in
                try Self.write(sent, to: &directory.applications[index])
                guard let api else { return }
                if let known = directory.apis.firstIndex(where: { $0.audience == api.audience }) {
                    directory.apis[known] = api
                } else {
                    directory.apis.append(api)
                }
            }
        case (.delete, nil, .none): try edit(application, with: editor) { $0.applications.remove(at: $1) }
        case (.post, "addpassword", .none): return try addPassword(to: application, with: editor, now: now)
        case (.post, "removepassword", .none):
            let keyID = try required("keyId", in: try members()).lowercased()
            guard application.secrets.contains(where: { $0.keyID(of: application.clientID) == keyID }) else {
                throw GraphFault.badBody("No password credential found with keyId '\(keyID.prefix(80))'.")
            }
            try edit(application, with: editor) { directory, index in
                directory.applications[index].secrets.removeAll { $0.keyID(of: application.clientID) == keyID }
            }
        case (_, "extensionproperties", _): return try changeExtensions(of: application, with: editor)
        default: throw GraphFault.wrongMethod
        }
        return Self.done
    }

    private func addPassword(
        to application: EmulatorDirectory.Application,
        with editor: ServedDirectoryEditor,
        now: Date
    ) throws -> GraphReply {
        let sent = body.isEmpty ? [:] : try members()["passwordCredential"]?.object ?? [:]
        let end = try sent["endDateTime"]?.string.map { text in
            guard let date = Date(iso8601: text) else {
                throw GraphFault.badBody(
                    "Cannot convert the literal '\(text.prefix(80))' to the type 'Edm.DateTimeOffset'."
                )
            }
            return date
        }
        let secret = EmulatorDirectory.ClientSecret(
            Secret.random().exposed,
            name: sent["displayName"]?.string,
            expiresAt: end ?? now.addingTimeInterval(2 * 365 * 86_400)
        )
        try edit(application, with: editor) { $0.applications[$1].secrets.append(secret) }
        guard case .object(var members) = secret.graphMembers(of: application.clientID) else { return Self.done }
        members["secretText"] = .string(secret.value)
        members["@odata.context"] = .string("\(metadata)#microsoft.graph.passwordCredential")
        return GraphReply(json: .object(members))
    }

    /// Writes the properties that exist in the directory. The others have no effect.
    private static func write(_ sent: [String: JSONValue], to application: inout EmulatorDirectory.Application) throws {
        if let name = sent["displayName"] {
            guard let text = name.string, (1...256).contains(text.count) else {
                throw GraphFault.badBody("Property displayName must be a string of 1 to 256 characters.")
            }
        }
        let changes = EmulatorDirectory.Application.form.object.changes(inGraph: sent)
        application = try EntryBody().entry(application, changedBy: .object(changes))
        func uris(_ platform: String, or before: [String]) throws(GraphFault) -> [String] {
            guard let list = sent[platform]?["redirectUris"] else { return before }
            guard let texts = list.array?.compactMap(\.string), texts.count == list.array?.count else {
                throw .badBody("Invalid value specified for property 'redirectUris'.")
            }
            return texts
        }
        let before = application.platforms
        let native = try uris("publicClient", or: before.native)
        let web = try uris("web", or: before.web)
        let page = try uris("spa", or: before.page)
        guard native.count + web.count + page.count <= maximumRedirectURIs else {
            throw GraphFault.badBody("Invalid value specified for property 'redirectUris'.")
        }
        if !native.isEmpty { application.kind = .publicClient }
        // The redirect URIs of the application's own platform are separate from those of the two other platforms.
        (application.redirectURIs, application.webRedirectURIs, application.singlePageRedirectURIs) =
            switch application.kind {
            case .publicClient: (native, web, page)
            case .web, .api: (web, [], page)
            case .singlePage: (page, web, [])
            }
    }

    /// The API defined by the identifiers, scopes, roles, and optional claims of a registration; `nil` if the body has
    /// none of them.
    private static func api(
        _ sent: [String: JSONValue],
        of application: EmulatorDirectory.Application,
        before: API?
    ) throws -> API? {
        let changes = API.form.object.changes(inGraph: sent)
        let scopes = sent["api"]?["oauth2PermissionScopes"]?.array
        let roles = sent["appRoles"]?.array
        let lists = [changes["identifierUris"]?.array, changes["optionalClaims"]?.array, roles, scopes]
        guard lists.contains(where: { $0?.isEmpty == false }) || before != nil,
            changes["accessTokenAcceptedVersion"] != nil || lists.contains(where: { $0 != nil })
        else { return nil }
        var blank = API(audience: application.clientID, displayName: application.displayName, scopes: [])
        blank.acceptedTokenVersion = 1
        var api = try EntryBody().entry(before ?? blank, changedBy: .object(changes))
        if let scopes {
            api.scopes = try scopes.map { scope throws(GraphFault) in
                guard let name = scope["value"]?.string else {
                    throw .badBody("Property value of a scope is required.")
                }
                return API.Scope(
                    name: name,
                    summary: scope["userConsentDisplayName"]?.string ?? scope["adminConsentDisplayName"]?.string
                        ?? name,
                    isAdministratorOnly: scope["type"]?.string == "Admin"
                )
            }
        }
        if let roles {
            api.roles = try roles.map { role throws(GraphFault) in
                guard let value = role["value"]?.string else {
                    throw .badBody("Property value of an app role is required.")
                }
                let members = before?.roles.first { $0.value == value }?.members ?? []
                return API.Role(value: value, summary: role["displayName"]?.string, members: members)
            }
        }
        return api
    }

    // MARK: Directory extensions

    /// `GET`, `POST`, and `DELETE` of the directory extensions that an application defines.
    private func changeExtensions(
        of application: EmulatorDirectory.Application,
        with editor: ServedDirectoryEditor
    ) throws -> GraphReply {
        switch (exchange.method, address.tail) {
        case (.post, .none):
            let sent = try members()
            let name = try required("name", in: sent)
            guard try required("dataType", in: sent) == "String" else {
                throw GraphFault.notSupported("directory extensions of other types than String")
            }
            try edit(application, with: editor) { $0.applications[$1].extensionProperties.append(name) }
            var made = GraphDirectory.extensionProperty(name, of: application)
            made["@odata.context"] = .string(
                "\(metadata)#applications('\(application.objectID)')/extensionProperties/$entity"
            )
            return GraphReply(status: .created, json: .object(made))
        case (.delete, .element(let id, false)):
            let name = application.extensionProperties.first {
                GraphDirectory.extensionProperty($0, of: application)["id"]?.string == id
            }
            guard let name else { throw GraphFault.notFound(id) }
            try edit(application, with: editor) { $0.applications[$1].extensionProperties.removeAll { $0 == name } }
            return Self.done
        default: throw GraphFault.wrongMethod
        }
    }

    private func edit(
        _ application: EmulatorDirectory.Application,
        with editor: ServedDirectoryEditor,
        change: (inout EmulatorDirectory, Int) throws -> Void
    ) throws {
        try editor.change { directory in
            guard let index = directory.applications.firstIndex(where: { $0.clientID == application.clientID }) else {
                throw GraphFault.notFound(key)
            }
            try change(&directory, index)
        }
    }

    // MARK: Service principals

    func changePrincipals(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        if try makesObject() {
            // For an application that has a service principal in every tenant, this returns the existing one.
            let clientID = try required("appId", in: try members())
            if let application = try? graph.application("appid=\(clientID)"), !graph.hasPrincipal(application) {
                let tenant = graph.tenant.domain
                try edit(application, with: editor) { $0.applications[$1].servicePrincipals?.append(tenant) }
            }
            return created(GraphTypes.servicePrincipal.object(try graph.principal("appid=\(clientID)"), in: graph))
        }
        let principal = try graph.principal(key)
        switch (exchange.method, address.part, address.tail) {
        case (.patch, nil, .none):
            let sent = try members()
            guard let isRequired = sent["appRoleAssignmentRequired"]?.bool, sent.count == 1 else {
                throw GraphFault.notSupported(
                    "writable properties of service principals except appRoleAssignmentRequired"
                )
            }
            let application = try graph.application("appid=\(principal.clientID)")
            try edit(application, with: editor) { $0.applications[$1].assignmentRequired = isRequired }
            return Self.done
        case (.delete, nil, .none):
            let application = try graph.application("appid=\(principal.clientID)")
            let others = graph.directory.tenants.map(\.domain).filter { !graph.tenant.isNamed($0) }
            try edit(application, with: editor) { directory, index in
                let kept = directory.applications[index].servicePrincipals ?? others
                directory.applications[index].servicePrincipals = kept.filter { !graph.tenant.isNamed($0) }
            }
            return Self.done
        case (_, "approleassignments", _), (_, "approleassignedto", _): return try await changeRoleAssignments(editor)
        default: throw GraphFault.wrongMethod
        }
    }

    /// `POST` and `DELETE` of an app role assignment.
    func changeRoleAssignments(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        let all = try await graph.roleAssignments()
        switch (exchange.method, address.tail) {
        case (.post, .none):
            let sent = try members()
            let principalID = try required("principalId", in: sent).lowercased()
            let resource = try graph.principal(try required("resourceId", in: sent).lowercased())
            let roleID = try required("appRoleId", in: sent).lowercased()
            let value = roleID == GraphRoleAssignment.noRole ? nil : resource.api?.roleValue(id: roleID)
            guard value != nil || roleID == GraphRoleAssignment.noRole else {
                throw GraphFault.badBody(
                    "Permission being assigned was not found on application '\(resource.clientID)'."
                )
            }
            func isWanted(_ other: GraphRoleAssignment) -> Bool {
                other.principalID == principalID && other.resource.id == resource.id && other.roleID == roleID
            }
            guard !all.contains(where: isWanted) else {
                throw GraphFault.badBody("Permission being assigned already exists on the object.")
            }
            let principal = try await graph.object(principalID, in: .directoryObjects)
            try assign(value, of: resource, to: principal, isGiven: true, with: editor)
            guard let made = try await graph.roleAssignments().first(where: isWanted) else {
                throw GraphFault.notSupported("such an assignment")
            }
            return created(GraphTypes.roleAssignment.object(made, in: graph))
        case (.delete, .element(let id, false)):
            guard let found = all.first(where: { $0.id == id }) else { throw GraphFault.notFound(id) }
            let principal = try await graph.object(found.principalID, in: .directoryObjects)
            try assign(found.value, of: found.resource, to: principal, isGiven: false, with: editor)
            return Self.done
        default: throw GraphFault.wrongMethod
        }
    }

    /// Assigns a role to a principal, or removes it.
    private func assign(
        _ role: String?,
        of resource: GraphPrincipal,
        to principal: GraphObject,
        isGiven: Bool,
        with editor: ServedDirectoryEditor
    ) throws {
        let names = Set(
            ["id", "userprincipalname", "displayname"].compactMap { principal.value($0)?.string?.lowercased() }
        )
        let clientID = principal.value("appid")?.string
        func change(_ members: inout [String]) {
            members.removeAll { names.contains($0.lowercased()) }
            if isGiven { members.append(principal.id) }
        }
        try editor.change { directory in
            if let clientID {
                guard let role, let api = resource.api else {
                    throw GraphFault.notSupported("assignments of applications without a role")
                }
                func change(_ granted: inout [String: [String]]) {
                    Self.update(&granted, of: api) { values in
                        values.removeAll { $0.lowercased() == role.lowercased() }
                        if isGiven { values.append(role) }
                    }
                }
                for index in directory.applications.indices where directory.applications[index].clientID == clientID {
                    change(&directory.applications[index].grantedRoles)
                }
                for index in directory.managedIdentities.indices
                where directory.managedIdentities[index].clientID == clientID {
                    change(&directory.managedIdentities[index].grantedRoles)
                }
                for index in directory.agents.indices where directory.agents[index].id == clientID {
                    change(&directory.agents[index].grantedRoles)
                }
            } else if let role {
                let api = directory.apis.firstIndex { $0.audience == resource.clientID }
                guard let api, let index = directory.apis[api].roles.firstIndex(where: { $0.value == role }) else {
                    throw GraphFault.notSupported("assignments of users to this role")
                }
                change(&directory.apis[api].roles[index].members)
            } else {
                for index in directory.applications.indices
                where directory.applications[index].clientID == resource.clientID {
                    change(&directory.applications[index].assignedTo)
                }
            }
        }
    }

    /// Changes the permissions that were granted for one API, whichever of its names they are listed under.
    static func update(
        _ granted: inout [String: [String]],
        of api: API,
        change: (inout [String]) -> Void
    ) {
        let own = granted.filter { api.isNamed($0.key) }
        var values = own.values.flatMap(\.self)
        change(&values)
        for name in own.keys { granted[name] = nil }
        if !values.isEmpty { granted[api.audience] = values }
    }

    // MARK: Grants

    /// `POST`, `PATCH`, and `DELETE` of delegated permission grants.
    func changePermissionGrants(_ editor: ServedDirectoryEditor) async throws -> GraphReply {
        let before: GraphPermissionGrant
        var scopes: [String] = []
        switch (exchange.method, address.id) {
        case (.post, nil):
            let sent = try members()
            let isForEverybody = try required("consentType", in: sent) == "AllPrincipals"
            let userID = isForEverybody ? nil : try required("principalId", in: sent).lowercased()
            before = GraphPermissionGrant(
                client: try graph.principal(try required("clientId", in: sent).lowercased()),
                resource: try graph.principal(try required("resourceId", in: sent).lowercased()),
                userID: userID,
                scopes: []
            )
            scopes = try required("scope", in: sent).split(separator: " ").map(String.init)
        case (.patch, let id?), (.delete, let id?):
            guard let found = try graph.permissionGrants().first(where: { $0.id == id }) else {
                throw GraphFault.notFound(id)
            }
            before = found
            if exchange.method == .patch {
                scopes = try required("scope", in: try members()).split(separator: " ").map(String.init)
            }
        default: throw GraphFault.wrongMethod
        }
        guard let api = before.resource.api else { throw GraphFault.notFound(before.resource.id) }
        let known = scopes.compactMap { RequestedScopes.openIDScopes.contains($0) ? $0 : api.scope(named: $0)?.name }
        guard known.count == scopes.count else {
            throw GraphFault.badBody("'scope' contains a permission that '\(api.displayName)' does not have.")
        }
        try await write(known, in: before, of: api, with: editor)
        guard exchange.method == .post else { return Self.done }
        let made = GraphPermissionGrant(
            client: before.client,
            resource: before.resource,
            userID: before.userID,
            scopes: known
        )
        return created(GraphTypes.permissionGrant.object(made, in: graph))
    }

    /// Replaces the permissions of a grant.
    private func write(
        _ scopes: [String],
        in grant: GraphPermissionGrant,
        of api: API,
        with editor: ServedDirectoryEditor
    ) async throws {
        let clientID = grant.client.clientID
        let isForEverybody = grant.userID == nil
        let user =
            try await isForEverybody ? Consents.adminConsentUserID(in: graph.tenant) : graph.user(grant.userID ?? "").id
        let openID = RequestedScopes.openIDScopes
        let ofAPI = scopes.filter { !openID.contains($0) }
        try graph.store.replaceConsents(
            of: user,
            to: clientID,
            audience: api.audience,
            with: isForEverybody ? [] : ofAPI
        )
        guard isForEverybody else { return }
        if grant.client.agent != nil {
            return try editAgent(grant.client.id, with: editor) { agent in
                Self.update(&agent.grantedScopes, of: api) { $0 = ofAPI }
            }
        }
        try edit(try graph.application("appid=\(clientID)"), with: editor) { directory, index in
            Self.update(&directory.applications[index].grantedScopes, of: api) { $0 = ofAPI }
        }
    }
}
