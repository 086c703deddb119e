// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The types of resources.
enum GraphTypes {
    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    /// A time in Graph's format.
    static func time(_ date: Date?) -> JSONValue { text(date.map { $0.formatted(.iso8601) }) }

    // MARK: People

    static let user = GraphType<User>(
        "user",
        in: "users",
        id: { user, graph in user.objectID(in: graph.tenant.id) ?? user.id },
        properties: [
            .always("businessPhones") { user, _ in .strings(user.businessPhones) },
            .always("displayName") { user, _ in .string(user.displayName) },
            .always("givenName") { user, _ in .string(user.givenName) },
            .always("jobTitle") { user, _ in text(user.jobTitle) },
            .always("mail") { user, _ in .string(user.userPrincipalName) },
            .always("mobilePhone") { user, _ in text(user.mobilePhone) },
            .always("officeLocation") { user, _ in text(user.officeLocation) },
            .always("preferredLanguage") { user, _ in text(user.preferredLanguage) },
            .always("surname") { user, _ in .string(user.surname) },
            .always("userPrincipalName") { user, graph in .string(user.principalName(in: graph.tenant)) },
            .selected("accountEnabled") { user, _ in .bool(user.isEnabled) },
            .selected("identityParentId") { user, _ in text(user.agent) },
            .selected("department") { user, _ in text(user.department) },
            .selected("userType") { user, graph in user.homeTenantID == graph.tenant.id ? "Member" : "Guest" },
            .selected("assignedLicenses") { _, _ in [] },
            .selected("mailNickname") { user, _ in .string(String(user.userPrincipalName.prefix { $0 != "@" })) },
            .selected("lastPasswordChangeDateTime") { user, _ in time(user.passwordChangedAt) },
            .selected("signInSessionsValidFromDateTime") { user, _ in time(user.sessionsValidFrom) },
        ]
            + User.attributeNames.map { name in .selected(name) { user, _ in text(user.attributes?[name]) } }
            + unset(["createdDateTime", "creationType", "externalUserState", "onPremisesSyncEnabled"]),
        relations: [
            "memberOf": { user, graph in
                graph.objects(graph.directory.groups(of: user, in: graph.tenant))
            },
            "transitiveMemberOf": { user, graph in
                let own = graph.directory.groups(of: user, in: graph.tenant)
                return graph.objects(graph.directory.closure(of: own, in: graph.tenant))
            },
            "manager": { user, graph in .one(try await graph.manager(of: user)) },
            "directReports": { user, graph in .many(try graph.directReports(of: user)) },
            "appRoleAssignments": { user, graph in
                graph.objects(
                    try await graph.roleAssignments().filter { $0.principalID == user.objectID(in: graph.tenant.id) }
                )
            },
            "oauth2PermissionGrants": { user, graph in
                graph.objects(try graph.permissionGrants().filter { $0.userID == user.objectID(in: graph.tenant.id) })
            },
        ],
        extensionValue: { user, name in
            user.attributes?.first { $0.key.lowercased() == name }.map { .string($0.value) }
        }
    )

    /// Properties of Microsoft Graph that never have a value in the emulator.
    private static func unset<Entry>(_ names: [String]) -> [GraphType<Entry>.Property] {
        names.map { .selected($0) { _, _ in .null } }
    }

    static let group = GraphType<EmulatorDirectory.Group>(
        "group",
        in: "groups",
        id: { group, _ in group.id },
        properties: [
            .always("description") { group, _ in text(group.summary) },
            .always("displayName") { group, _ in .string(group.displayName) },
            .always("groupTypes") { _, _ in [] },
            .always("mail") { _, _ in .null },
            .always("mailEnabled") { _, _ in false },
            .always("mailNickname") { group, _ in .string(group.nickname) },
            .always("securityEnabled") { _, _ in true },
            .always("visibility") { _, _ in .null },
        ] + unset(["createdDateTime", "deletedDateTime", "onPremisesSyncEnabled", "isAssignableToRole"]),
        relations: [
            "members": { group, graph in .many(try await graph.members(of: group)) },
            "transitiveMembers": { group, graph in .many(try await graph.allMembers(of: group)) },
            "memberOf": { group, graph in graph.objects(graph.directory.groups(of: group, in: graph.tenant)) },
            "transitiveMemberOf": { group, graph in
                let own = graph.directory.groups(of: group, in: graph.tenant)
                return graph.objects(graph.directory.closure(of: own, in: graph.tenant))
            },
            "appRoleAssignments": { group, graph in
                graph.objects(try await graph.roleAssignments().filter { $0.principalID == group.id })
            },
        ]
    )

    static let organization = GraphType<Tenant>(
        "organization",
        in: "organization",
        id: { tenant, _ in tenant.id },
        properties: [
            .always("displayName") { tenant, _ in .string(tenant.displayName) },
            .always("tenantType") { tenant, _ in tenant.kind == .external ? "CIAM" : "AAD" },
            .always("verifiedDomains") { tenant, _ in
                let domains = [tenant.domain] + tenant.aliases.filter { $0.contains(".") }
                return .array(
                    domains.enumerated().map { position, name in
                        [
                            "name": .string(name), "isDefault": .bool(position == 0), "isInitial": .bool(position == 0),
                            "type": "Managed",
                        ]
                    }
                )
            },
        ]
    )

    // MARK: Applications

    /// The properties of applications whose values, or members, have the names of the directory's entries.
    private static let applicationSettings = Set(
        [EmulatorDirectory.Application.form.object, API.form.object].flatMap(\.members).compactMap(\.graphPath?.first)
            + ["publicClient", "spa"]
    )

    static let application = GraphType<EmulatorDirectory.Application>(
        "application",
        in: "applications",
        id: { application, _ in application.objectID },
        properties: [
            .always("appId") { application, _ in .string(application.clientID) },
            .always("displayName") { application, _ in .string(application.displayName) },
            .always("appRoles") { application, graph in
                .array(graph.directory.api(audience: application.clientID)?.graphRoles ?? [])
            },
            .always("passwordCredentials") { application, _ in
                .array(application.secrets.map { $0.graphMembers(of: application.clientID) })
            },
            .always("keyCredentials") { _, _ in [] },
        ]
            + applicationSettings.map { name in
                .always(name) { application, graph in graph.settings(of: application)[name] ?? .null }
            } + unset(["createdDateTime", "deletedDateTime", "publisherDomain", "description", "notes"])
    )

    static let servicePrincipal = GraphType<GraphPrincipal>(
        "servicePrincipal",
        in: "servicePrincipals",
        id: { principal, _ in principal.id },
        properties: [
            .always("accountEnabled") { principal, _ in .bool(principal.agent?.isEnabled ?? true) },
            .always("appId") { principal, _ in .string(principal.clientID) },
            .always("displayName") { principal, _ in .string(principal.displayName) },
            .always("appDisplayName") { principal, _ in .string(principal.displayName) },
            .always("servicePrincipalType") { principal, _ in
                if principal.agent != nil { return "ServiceIdentity" }
                return principal.isManagedIdentity ? "ManagedIdentity" : "Application"
            },
            .always("servicePrincipalNames") { principal, _ in
                .strings([principal.clientID] + (principal.api?.identifiers ?? []))
            },
            .always("appRoleAssignmentRequired") { principal, _ in .bool(principal.requiresAssignment) },
            .always("appRoles") { principal, _ in .array(principal.api?.graphRoles ?? []) },
            .always("oauth2PermissionScopes") { principal, _ in .array(principal.api?.graphScopes ?? []) },
        ] + unset(["deletedDateTime", "description", "homepage", "loginUrl", "notes"]),
        relations: [
            "appRoleAssignments": { principal, graph in
                graph.objects(try await graph.roleAssignments().filter { $0.principalID == principal.id })
            },
            "appRoleAssignedTo": { principal, graph in
                graph.objects(try await graph.roleAssignments().filter { $0.resource.id == principal.id })
            },
            "oauth2PermissionGrants": { principal, graph in
                graph.objects(try graph.permissionGrants().filter { $0.client.id == principal.id })
            },
        ]
    )

    static let agentIdentity = GraphType<GraphPrincipal>(
        "agentIdentity",
        in: "servicePrincipals",
        id: { principal, _ in principal.id },
        properties: [
            .always("accountEnabled") { principal, _ in .bool(principal.agent?.isEnabled ?? true) },
            .always("appId") { principal, _ in .string(principal.clientID) },
            .always("displayName") { principal, _ in .string(principal.displayName) },
            .always("servicePrincipalType") { _, _ in "ServiceIdentity" },
            .always("agentIdentityBlueprintId") { principal, _ in .string(principal.agent?.blueprint ?? "") },
        ],
        relations: [
            "appRoleAssignments": { principal, graph in
                graph.objects(try await graph.roleAssignments().filter { $0.principalID == principal.id })
            },
            "oauth2PermissionGrants": { principal, graph in
                graph.objects(try graph.permissionGrants().filter { $0.client.id == principal.id })
            },
        ]
    )

    static let roleAssignment = GraphType<GraphRoleAssignment>(
        "appRoleAssignment",
        in: "appRoleAssignments",
        id: { assignment, _ in assignment.id },
        properties: [
            .always("appRoleId") { assignment, _ in .string(assignment.roleID) },
            .always("principalId") { assignment, _ in .string(assignment.principalID) },
            .always("principalDisplayName") { assignment, _ in .string(assignment.principalName) },
            .always("principalType") { assignment, _ in .string(assignment.principalType) },
            .always("resourceId") { assignment, _ in .string(assignment.resource.id) },
            .always("resourceDisplayName") { assignment, _ in .string(assignment.resource.displayName) },
            .always("createdDateTime") { _, _ in .null },
        ]
    )

    static let permissionGrant = GraphType<GraphPermissionGrant>(
        "oAuth2PermissionGrant",
        in: "oauth2PermissionGrants",
        id: { grant, _ in grant.id },
        properties: [
            .always("clientId") { grant, _ in .string(grant.client.id) },
            .always("consentType") { grant, _ in grant.userID == nil ? "AllPrincipals" : "Principal" },
            .always("principalId") { grant, _ in text(grant.userID) },
            .always("resourceId") { grant, _ in .string(grant.resource.id) },
            .always("scope") { grant, _ in .string(grant.scopes.sorted().joined(separator: " ")) },
        ]
    )

    // MARK: Sign-ins

    static let signIn = GraphType<SignInDecision>(
        "signIn",
        in: "auditLogs/signIns",
        id: { decision, _ in
            UUID.derived(
                from: "sign-in",
                "\(decision.date.timeIntervalSince1970)",
                decision.user,
                decision.application,
                decision.api
            ).text
        },
        properties: [
            .always("createdDateTime") { decision, _ in time(decision.date) },
            .always("userPrincipalName") { decision, _ in .string(decision.user) },
            .always("appId") { decision, _ in .string(decision.application) },
            .always("appDisplayName") { decision, graph in
                text(graph.directory.application(decision.application)?.displayName)
            },
            .always("resourceId") { decision, _ in .string(decision.api) },
            .always("resourceDisplayName") { decision, graph in
                text(graph.directory.api(audience: decision.api)?.displayName)
            },
            .always("ipAddress") { decision, _ in text(decision.address) },
            .always("status") { decision, _ in
                [
                    "errorCode": .int(decision.number ?? 0),
                    "failureReason": .string(decision.number == nil ? "Other." : decision.reason),
                    "additionalDetails": .null,
                ]
            },
            .always("agent") { decision, _ in
                guard let blueprint = decision.agentBlueprint else { return .null }
                return ["agentType": "agenticAppInstance", "parentAppId": .string(blueprint)]
            },
            .always("conditionalAccessStatus") { decision, _ in
                let enforced = decision.outcomes.filter { $0.mode == .enabled }
                guard !enforced.isEmpty else { return "notApplied" }
                return enforced.allSatisfy(\.isSatisfied) ? "success" : "failure"
            },
            .always("appliedConditionalAccessPolicies") { decision, _ in
                .array(
                    decision.outcomes.map { outcome in
                        let result = outcome.isSatisfied ? "success" : "failure"
                        let word = outcome.mode == .enabled ? result : "reportOnly\(result.capitalized)"
                        return ["displayName": .string(outcome.policy), "result": .string(word)]
                    }
                )
            },
        ]
    )
}

extension EmulatorDirectory.Group {
    /// `mailNickname`.
    var nickname: String { mailNickname ?? String(displayName.filter { $0.isLetter || $0.isNumber }) }
}
