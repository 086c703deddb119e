// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension OptionalClaims {
    /// Finds the value of a claim; `nil` if the user has none.
    fileprivate typealias Value = @Sendable (User, TokenIssuer.Context, TokenIssuer) -> JSONValue?

    /// The values of the claims that not all tokens have, as far as the emulator has data for them.
    fileprivate static let values: [String: Value] = [
        // 0 is a member, 1 a guest.
        "acct": { user, context, _ in context.tenant.id == user.homeTenantID ? 0 : 1 },
        "auth_time": { _, context, _ in .int(Int(context.entitlement.authenticatedAt.timeIntervalSince1970)) },
        "ctry": { user, _, _ in
            let country = user.attributes?["country"] ?? user.attributes?["usageLocation"]
            return country.flatMap { $0.utf8.count == 2 ? .string($0.uppercased()) : nil }
        },
        "email": { user, _, _ in .string(user.userPrincipalName) },
        "family_name": { user, _, _ in .string(user.surname) },
        "given_name": { user, _, _ in .string(user.givenName) },
        "ipaddr": { _, context, _ in context.clientAddress.map { .string($0) } },
        "login_hint": { user, _, issuer in .string(issuer.keys.hints.text(for: user)) },
        "onprem_sid": { user, _, _ in user.attributes?["onPremisesSecurityIdentifier"].map { .string($0) } },
        "preferred_username": { user, _, _ in .string(user.userPrincipalName) },
        "tenant_ctry": { _, context, _ in context.tenant.country.map { .string($0) } },
        "tenant_region_scope": { _, _, _ in .string(Tenant.region) },
        "upn": { user, context, _ in .string(user.principalName(in: context.tenant)) },
        "verified_primary_email": { user, _, _ in .strings([user.userPrincipalName]) },
        "xms_edov": { user, _, issuer in
            let domain = user.userPrincipalName.split(separator: "@").last.map(String.init) ?? ""
            return .bool(issuer.directory.tenant(id: user.homeTenantID)?.isNamed(domain) == true)
        },
        "xms_pdl": { user, _, _ in user.attributes?["preferredDataLocation"].map { .string($0) } },
        "xms_pl": { user, _, _ in user.preferredLanguage.map { .string($0.lowercased()) } },
        "xms_tpl": { _, context, _ in context.tenant.preferredLanguage.map { .string($0) } },
    ]
}

/// The claims that a registration requests: optional claims, groups, and directory roles.
extension TokenIssuer {
    /// The optional claims of a registration.
    func optional(_ requested: [EmulatorDirectory.OptionalClaim], in context: Context) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        for claim in requested {
            if let value = OptionalClaims.values[claim.name] {
                claims[claim.name] = value(context.user, context, self)
            } else if let name = DirectoryExtension.shortName(of: claim.name) {
                claims["extn.\(name)"] = context.user.attributes?[claim.name].map { .strings([$0]) }
            }
            if claim.additionalProperties.contains(OptionalClaims.withoutHash), let upn = claims["upn"]?.string {
                claims["upn"] = .string(upn.replacing("#", with: "_"))
            }
        }
        // Microsoft identity platform, "Optional claims reference": xms_edov requires email.
        if claims["email"] == nil { claims["xms_edov"] = nil }
        return claims
    }

    // MARK: Groups and roles

    private static let groupLimit = 200
    /// The limit in an address.
    private static let frontChannelGroupLimit = 5

    /// `groups` and `wids`. If there are too many groups for a token, the claims only say where to read them
    /// (Microsoft identity platform, "Configure group claims and app roles in tokens").
    ///
    /// `setting`: `groupMembershipClaims` of the registration.
    func memberships(
        _ setting: EmulatorDirectory.Application.MembershipClaims?,
        requested: [EmulatorDirectory.OptionalClaim],
        in context: Context
    ) -> [String: JSONValue] {
        let claim = requested.first { $0.name == "groups" }
        var claims: [String: JSONValue] = [:]
        switch setting {
        case nil where claim == nil, .disabled?: return [:]
        case .directoryRoles?: return ["wids": .strings(Self.directoryRoles(of: context))]
        case .all?: claims["wids"] = .strings(Self.directoryRoles(of: context))
        case nil, .securityGroups?, .assignedGroups?: break
        }
        let own = directory.groups(of: context.user, in: context.tenant)
        var groups = directory.closure(of: own, in: context.tenant)
        if setting == .assignedGroups {
            let assigned = directory.application(context.entitlement.clientID)?.assignedTo ?? []
            groups.removeAll { !assigned.contains($0.id) && !assigned.contains($0.displayName.lowercased()) }
        }
        if context.isInFrontChannel, groups.count > Self.frontChannelGroupLimit {
            claims["hasgroups"] = true
        } else if groups.count > Self.groupLimit {
            let host = String(context.base.dropFirst("https://".count))
            let id = context.user.objectID(in: context.tenant.id) ?? context.user.id
            let address = "https://\(KnownHosts.graph(of: host) ?? host)/v1.0/users/\(id)/getMemberObjects"
            claims["_claim_names"] = ["groups": "src1"]
            claims["_claim_sources"] = ["src1": ["endpoint": .string(address)]]
        } else {
            let properties = claim?.additionalProperties ?? []
            let names = groups.map { properties.contains("cloud_displayname") ? $0.displayName : $0.id }
            claims[properties.contains("emit_as_roles") ? "roles" : "groups"] = .strings(names)
        }
        return claims
    }

    /// The template IDs of a user's directory roles (Microsoft Entra, "Microsoft Entra built-in roles"). Every member
    /// of the tenant has the ID of the default user role.
    static func directoryRoles(of context: Context) -> [String] {
        (context.user.isAdministrator ? ["62e90394-69f5-4237-9190-012177145e10"] : [])
            + (context.tenant.id == context.user.homeTenantID ? ["b79fbf4d-3ef9-4689-8143-76b194e85509"] : [])
    }
}

extension JSONValue {
    /// Two lists as one; otherwise the value itself.
    func merged(with other: JSONValue) -> JSONValue {
        guard let own = array, let more = other.array else { return self }
        return .array(own + more)
    }
}
