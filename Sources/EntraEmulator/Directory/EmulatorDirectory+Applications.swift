// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards

/// Validation of applications, groups, and managed identities.
extension EmulatorDirectory {
    func checkedApplications(_ apis: [API], in tenants: [Tenant]) throws(InvalidEntry) -> [AppRegistration] {
        var ids: Set<String> = []
        var checked: [AppRegistration] = []
        for (index, application) in applications.enumerated() {
            let entry = CheckedEntry("applications", at: index, named: application.clientID)
            try entry.requireText(application.clientID, called: "client ID")
            try entry.require(
                !application.clientID.contains(where: \.isWhitespace),
                orFailWith: .malformed(application.clientID),
                remedy: "use a client ID without spaces"
            )
            try entry.claim(application.clientID, in: &ids, remedy: "give each application a different client ID")
            try entry.require(optionalClaims: application.optionalClaims, outOf: OptionalClaims.ofIDTokens)
            if let policy = application.nativeAuthentication { try check(policy, of: entry) }
            try checkCredentials(of: application, as: entry)
            var extensions: Set<String> = []
            for name in application.extensionProperties {
                try entry.require(
                    DirectoryExtension.isShortName(name),
                    orFailWith: .malformed(name),
                    remedy: "use letters, digits, and underscores in the name of a directory extension"
                )
                try entry.claim(name, in: &extensions, remedy: "list each directory extension only once")
            }
            checked.append(try AppRegistration(application, apis: apis, tenants: tenants, as: entry))
        }
        return checked
    }

    fileprivate static func logoutAddress(
        _ text: String?,
        of entry: CheckedEntry
    ) throws(InvalidEntry) -> RedirectAddress? {
        guard let text else { return nil }
        guard let address = RedirectAddress(text), address.scheme == "https" || address.isLoopback else {
            throw entry.fail(
                .malformed(text),
                remedy: "use an https URL as frontChannelLogoutUri, or an http URL of localhost"
            )
        }
        return address
    }

    private func checkCredentials(of application: Application, as entry: CheckedEntry) throws(InvalidEntry) {
        try entry.require(
            application.kind != .singlePage || application.secrets.isEmpty,
            orFailWith: .contradictory("is a single-page application with a secret, which any user could read"),
            remedy: "remove the secret, or change the type to web"
        )
        for secret in application.secrets {
            try entry.requireText(secret.value, called: "value of a secret")
        }
        for credential in application.federatedCredentials {
            try entry.require(
                ServerAddress(credential.issuer) != nil,
                orFailWith: .malformed(credential.issuer),
                remedy: "use an https URL as the issuer of a federated credential"
            )
            try entry.requireText(credential.subject, called: "subject of a federated credential")
            try entry.require(
                !credential.audiences.isEmpty,
                orFailWith: .missing("audience of a federated credential"),
                remedy: "use \(FederatedCredential.standardAudience), or omit the audiences"
            )
            try entry.require(
                credential.keys.map { keys in !keys.isEmpty && keys.allSatisfy { $0.publicKey != nil } } ?? true,
                orFailWith: .malformed("keys of \(credential.issuer)"),
                remedy: "use RSA keys of 2048 bits or more as JSON Web Keys, or omit the keys"
            )
        }
    }

    fileprivate static func parsed(
        _ certificates: [ClientCertificate],
        of entry: CheckedEntry
    ) throws(InvalidEntry) -> [RegisteredCertificate] {
        try certificates.map { certificate throws(InvalidEntry) in
            guard let parsed = RegisteredCertificate(pem: certificate.pem, subject: certificate.subject) else {
                throw entry.fail(
                    .contradictory("has a certificate that cannot be read"),
                    remedy: "use a PEM certificate that begins with -----BEGIN CERTIFICATE----- and has an RSA key"
                )
            }
            return parsed
        }
    }

    // MARK: Grants

    /// The granted permissions by audience, in the API's own spelling.
    fileprivate static func grants(
        _ grants: [String: [String]],
        at apis: [API],
        of entry: CheckedEntry,
        find: (API, String) -> String?
    ) throws(InvalidEntry) -> [String: [String]] {
        var checked: [String: [String]] = [:]
        for (name, values) in grants.sorted(by: { $0.key < $1.key }) {
            let api = try api(name, in: apis, of: entry)
            checked[api.audience, default: []] += try values.map { value throws(InvalidEntry) in
                guard let known = find(api, value) else {
                    let allowed = (api.scopes.map(\.name) + api.roles.map(\.value)).filter { find(api, $0) != nil }
                    throw entry.fail(
                        .unknown(value),
                        remedy: "choose a permission of \(name): " + allowed.joined(separator: ", ")
                            + (api.isGraph ? ", or another of its permissions reference" : "")
                    )
                }
                return known
            }
        }
        return checked
    }

    static func api(_ name: String, in apis: [API], of entry: CheckedEntry) throws(InvalidEntry) -> API {
        guard let api = apis.first(where: { $0.isNamed(name) }) else {
            throw entry.fail(.unknown(name), remedy: "choose an API: " + apis.map(\.audience).joined(separator: ", "))
        }
        return api
    }

    // MARK: Claims of tests

    /// The maximum number of settings.
    private static let mostTokenClaims = 1_000

    /// Validates the claims that tests set.
    func checkTokenClaims(_ apis: [API]) throws(InvalidEntry) {
        var ids: Set<String> = []
        for (index, setting) in tokenClaims.enumerated() {
            let entry = CheckedEntry("tokenClaims", at: index, named: setting.id)
            try entry.require(
                index < Self.mostTokenClaims,
                orFailWith: .contradictory("is the entry after the \(Self.mostTokenClaims) that are allowed"),
                remedy: "remove settings"
            )
            try entry.requireGUID(setting.id)
            try entry.claim(setting.id, in: &ids, remedy: "give each setting a unique ID, or combine them")
            try entry.require(
                (1...TokenClaims.mostClaims).contains(setting.claims.count),
                orFailWith: .contradictory("sets \(setting.claims.count) claims"),
                remedy: "set 1 to \(TokenClaims.mostClaims) claims"
            )
            for name in setting.claims.keys.sorted() {
                try entry.requireText(name, called: "name of a claim")
                try entry.require(
                    setting.isForced || !RestrictedClaims.contains(name),
                    orFailWith: .contradictory("sets the restricted claim '\(name)'"),
                    remedy: "remove it, or add 'force: true'"
                )
            }
            if let client = setting.application {
                try entry.require(
                    applications.contains { $0.clientID.lowercased() == client.lowercased() },
                    orFailWith: .unknown(client),
                    remedy: "use the client ID of an application"
                )
            }
            if let name = setting.api { _ = try Self.api(name, in: apis, of: entry) }
        }
    }

    // MARK: Groups and identities

    /// The groups, with the IDs of their tenants.
    func checkedGroups(_ tenants: [Tenant]) throws(InvalidEntry) -> [Group] {
        var ids: Set<String> = []
        return try groups.enumerated().map { index, group throws(InvalidEntry) in
            let entry = CheckedEntry("groups", at: index, named: group.displayName)
            try entry.requireGUID(group.id)
            try entry.claim(group.id, in: &ids, remedy: "give each group a unique ID")
            try entry.requireText(group.displayName, called: "display name")
            var checked = group
            checked.id = group.id.lowercased()
            checked.tenant = try Self.tenant(group.tenant, in: tenants, of: entry).id
            return checked
        }
    }

    /// The managed identities, with the IDs of their tenants and the audiences of the APIs.
    func checkedIdentities(_ tenants: [Tenant], apis: [API]) throws(InvalidEntry) -> [ManagedIdentity] {
        var ids: Set<String> = []
        var hasSystemIdentity = false
        return try managedIdentities.enumerated().map { index, identity throws(InvalidEntry) in
            let entry = CheckedEntry("managedIdentities", at: index, named: identity.name)
            for id in [identity.clientID, identity.objectID] {
                try entry.requireGUID(id)
                try entry.claim(id, in: &ids, remedy: "give each identity unique IDs")
            }
            if let resource = identity.resourceID {
                try entry.require(
                    resource.hasPrefix("/subscriptions/"),
                    orFailWith: .malformed(resource),
                    remedy: "use a resource ID of the form /subscriptions/…"
                )
                try entry.claim(resource, in: &ids, remedy: "give each identity a unique resource ID")
            } else {
                try entry.require(
                    !hasSystemIdentity,
                    orFailWith: .contradictory("is a second system-assigned identity"),
                    remedy: "give one of them a resource ID"
                )
                hasSystemIdentity = true
            }
            var checked = identity
            checked.tenant = try Self.tenant(identity.tenant, in: tenants, of: entry).id
            checked.grantedRoles = try Self.grants(identity.grantedRoles, at: apis, of: entry) { api, name in
                api.roleValue(named: name)
            }
            return checked
        }
    }
}

extension AppRegistration {
    /// Parses the addresses and the certificates, and looks up the APIs.
    ///
    /// - Throws: `InvalidEntry` for the first invalid value.
    init(
        _ application: EmulatorDirectory.Application,
        apis: [EmulatorDirectory.API],
        tenants: [Tenant],
        as entry: CheckedEntry
    ) throws(EmulatorDirectory.InvalidEntry) {
        func id(ofTenant name: String) throws(EmulatorDirectory.InvalidEntry) -> String {
            try EmulatorDirectory.tenant(name, in: tenants, of: entry).id
        }
        tenantID = try application.tenant.map(id) ?? tenants.first?.id ?? ""
        signInAudience = application.signInAudience
        servicePrincipals = try application.servicePrincipals.map { names throws(EmulatorDirectory.InvalidEntry) in
            Set(try names.map(id))
        }
        issuesIDTokens = application.issuesIDTokens ?? false
        issuesAccessTokens = application.issuesAccessTokens
        membershipClaims = application.membershipClaims
        clientID = application.clientID
        displayName = application.displayName
        kind = application.kind
        redirectURIs = RedirectURIs(
            kind: application.kind,
            ofKind: try EmulatorDirectory.parsed(application.redirectURIs, of: entry),
            web: try EmulatorDirectory.parsed(application.webRedirectURIs, of: entry),
            singlePage: try EmulatorDirectory.parsed(application.singlePageRedirectURIs, of: entry)
        )
        frontChannelLogoutURI = try EmulatorDirectory.logoutAddress(application.frontChannelLogoutURI, of: entry)
        credentials = Credentials(
            secrets: application.secrets,
            certificates: try EmulatorDirectory.parsed(application.certificates, of: entry),
            federated: application.federatedCredentials
        )
        allowsPublicFlows = application.allowsPublicFlows ?? (application.kind == .publicClient)
        optionalClaims = application.optionalClaims
        grantedScopes = try EmulatorDirectory.grants(application.grantedScopes, at: apis, of: entry) { api, name in
            name == "*" ? name : api.scope(named: name)?.name
        }
        grantedRoles = try EmulatorDirectory.grants(application.grantedRoles, at: apis, of: entry) { api, name in
            api.roleValue(named: name)
        }
        assignedTo = application.assignmentRequired ? Set(application.assignedTo.map { $0.lowercased() }) : nil
        isInFamily = application.isInFamily
        native = application.nativeAuthentication
        consentedAudiences = try application.consentedAudiences.map { name throws(EmulatorDirectory.InvalidEntry) in
            try EmulatorDirectory.api(name, in: apis, of: entry).audience
        }
        isAgentBlueprint = application.isAgentBlueprint
        for name in application.inheritablePermissions {
            _ = try EmulatorDirectory.api(name, in: apis, of: entry)
        }
    }
}
