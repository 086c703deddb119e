// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// Checks that an emulator can start with this directory.
    ///
    /// - Throws: `InvalidEntry` for the first invalid entry.
    public func validate() throws(InvalidEntry) {
        let checked = try ServedDirectoryState(self)
        _ = try checkedUsers(checked.tenants)
    }

    /// Warnings about applications that rely on a default of an earlier version, with the line to add.
    package var warnings: [String] {
        let silent = applications.filter { app in
            app.kind == .web && !app.redirectURIs.isEmpty && app.issuesIDTokens == nil
        }
        guard let first = silent.first else { return [] }
        let others = silent.count > 1 ? " and \(silent.count - 1) more web apps" : ""
        return [
            "'\(first.displayName)'\(others) cannot use hybrid sign-ins (response_type 'code id_token'), which earlier "
                + "versions allowed; add 'enableIdTokenIssuance: true' to the application, or 'false' to keep this"
        ]
    }

    // MARK: Tenants

    func checkedTenants() throws(InvalidEntry) -> [Tenant] {
        guard !tenants.isEmpty else {
            throw InvalidEntry(entry: "tenants", problem: .missing("entry"), remedy: "add a tenant")
        }
        var taken: Set<String> = []
        var hasPersonal = false
        var checked: [Tenant] = []
        for (index, tenant) in tenants.enumerated() {
            let entry = CheckedEntry("tenants", at: index, named: tenant.domain)
            try entry.requireGUID(tenant.id)
            try entry.requireText(tenant.displayName, called: "display name")
            for name in tenant.names {
                try entry.require(
                    Self.isPathSegment(name),
                    orFailWith: .malformed(name),
                    remedy: "use letters, digits, dots, hyphens, and underscores"
                )
                try entry.require(
                    TenantSelector(reserved: name) == nil,
                    orFailWith: .contradictory("is named '\(name)', which selects several tenants"),
                    remedy: "choose another name"
                )
                try entry.claim(name, in: &taken, remedy: "use each ID, domain, and alias for only one tenant")
            }
            try entry.require(
                tenant.policies == nil || tenant.kind == .external,
                orFailWith: .contradictory("has policies but is not an External ID tenant"),
                remedy: "remove the policies, or change the kind to external"
            )
            for policy in tenant.policies ?? [] {
                try entry.require(
                    TenantSegment.isPolicy(policy) && Self.isPathSegment(policy),
                    orFailWith: .malformed(policy),
                    remedy: "start the policy's name with B2C_1"
                )
            }
            try entry.require(
                !(hasPersonal && tenant.kind == .personal),
                orFailWith: .contradictory("is a second tenant for personal accounts"),
                remedy: "remove one of them"
            )
            hasPersonal = hasPersonal || tenant.kind == .personal
            var lowered = tenant
            lowered.id = tenant.id.lowercased()
            lowered.domain = tenant.domain.lowercased()
            checked.append(lowered)
        }
        return checked
    }

    /// Whether a text can be used in a path without escaping: letters, digits, dots, hyphens, and underscores. Clients
    /// remove `.` and `..` from a path (RFC 3986 §5.2.4).
    static func isPathSegment(_ text: String) -> Bool {
        !["", ".", ".."].contains(text)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }

    // MARK: APIs

    func checkedAPIs() throws(InvalidEntry) -> [API] {
        var taken: Set<String> = []
        var paths: Set<String> = []
        for (index, api) in apis.enumerated() {
            let entry = CheckedEntry("apis", at: index, named: api.audience)
            try entry.requireText(api.audience, called: "audience")
            for name in Set([api.audience] + api.identifiers).sorted() {
                try entry.require(
                    !name.isEmpty && !name.hasSuffix("/") && name.utf8.allSatisfy { (0x21...0x7E).contains($0) },
                    orFailWith: .malformed(name),
                    remedy: "use audience and identifiers without spaces and without a trailing slash"
                )
                try entry.claim(name, in: &taken, remedy: "use each audience and identifier for only one API")
            }
            try entry.require(
                [1, 2].contains(api.acceptedTokenVersion),
                orFailWith: .malformed(String(api.acceptedTokenVersion)),
                remedy: "choose 1 or 2 as the version of its access tokens"
            )
            try entry.require(optionalClaims: api.optionalClaims, outOf: OptionalClaims.ofAccessTokens)
            var roles: Set<String> = []
            for role in api.roles {
                try entry.require(
                    RequestedScopes.isScopeToken(role.value) && !role.value.isEmpty,
                    orFailWith: .malformed(role.value),
                    remedy: "use a role value without spaces and quotes"
                )
                try entry.claim(role.value, in: &roles, remedy: "list each role of an API only once")
            }
            var scopes: Set<String> = []
            for scope in api.scopes {
                try entry.require(
                    RequestedScopes.isScopeToken(scope.name) && !scope.name.contains("/"),
                    orFailWith: .malformed(scope.name),
                    remedy: "use a scope without spaces, quotes, and slashes"
                )
                try entry.claim(scope.name, in: &scopes, remedy: "list each scope of an API only once")
            }
            guard let path = api.toDoListPath else { continue }
            try entry.require(
                path.hasPrefix("/api") && path.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !path.contains("?"),
                orFailWith: .malformed(path),
                remedy: "start the path of the to-do list with /api"
            )
            try entry.claim(path, in: &paths, remedy: "give each to-do list a unique path")
        }
        guard apis.contains(where: \.isGraph) else {
            throw InvalidEntry(
                entry: "apis",
                problem: .missing("Microsoft Graph"),
                remedy: "add EmulatorDirectory.API.microsoftGraph"
            )
        }
        return try apis + checkedResources(besides: taken)
    }

    /// The APIs of `resources`. An entry of `apis` for the same resource is more detailed, so it replaces the short
    /// one.
    private func checkedResources(besides taken: Set<String>) throws(InvalidEntry) -> [API] {
        var taken = taken
        var checked: [API] = []
        for (index, resource) in resources.enumerated() {
            let entry = CheckedEntry("resources", at: index, named: resource)
            guard let api = API(resource: resource) else {
                throw entry.fail(
                    .malformed(resource),
                    remedy: "use the URI of the resource, such as https://vault.azure.net, or its client ID"
                )
            }
            guard taken.isDisjoint(with: api.names) else { continue }
            taken.formUnion(api.names)
            checked.append(api)
        }
        return checked
    }

    // MARK: Users

    func checkedUsers(_ tenants: [Tenant]) throws(InvalidEntry) -> [EntraEmulator.User] {
        var ids: Set<String> = []
        var names: Set<String> = []
        var checked: [EntraEmulator.User] = []
        checked.reserveCapacity(users.count)
        for (index, user) in users.enumerated() {
            let entry = CheckedEntry("users", at: index, named: user.userPrincipalName)
            try entry.requireGUID(user.id)
            try entry.claim(user.id, in: &ids, remedy: "give each account a unique object ID")
            try entry.require(
                StrongMethod.isEmailAddress(user.userPrincipalName),
                orFailWith: .malformed(user.userPrincipalName),
                remedy: "use a user principal name in the form of an email address"
            )
            try entry.claim(user.userPrincipalName, in: &names, remedy: "give each user a different name")
            let home = try Self.tenant(user.tenant, in: tenants, of: entry)
            try check(user, of: home, as: entry)
            for name in user.attributes.keys.sorted() {
                try entry.require(
                    EntraEmulator.User.attributeNames.contains(name) || DirectoryExtension.shortName(of: name) != nil,
                    orFailWith: .unknown(name),
                    remedy: "choose from the properties \(EntraEmulator.User.attributeNames.joined(separator: ", ")), "
                        + "or a directory extension"
                )
            }
            var account = EntraEmulator.User(user, homeTenantID: home.id)
            for (name, objectID) in user.guestObjectIDs.sorted(by: { $0.key < $1.key }) {
                let tenant = try Self.tenant(name, in: tenants, of: entry)
                try entry.require(
                    tenant.id != home.id,
                    orFailWith: .contradictory("is a guest in the home tenant"),
                    remedy: "remove that tenant from the guest's tenants"
                )
                try entry.requireGUID(objectID)
                try entry.claim(objectID, in: &ids, remedy: "give each account a unique object ID")
                account.guestObjectIDs[tenant.id] = objectID.lowercased()
            }
            checked.append(account)
        }
        return checked
    }

    private func check(_ user: User, of home: Tenant, as entry: CheckedEntry) throws(InvalidEntry) {
        try entry.require(
            user.password?.isEmpty != true,
            orFailWith: .malformed(""),
            remedy: "set a password, or remove it"
        )
        let credential = user.customer?.credential ?? .password
        try entry.require(
            user.passwordDigest.map(EntraEmulator.User.isDigest) ?? true,
            orFailWith: .contradictory("has a password digest that no emulator created"),
            remedy: "set a password instead"
        )
        try entry.require(
            user.password != nil || user.passwordDigest != nil || credential != .password || user.agent != nil,
            orFailWith: .missing("password"),
            remedy: "set one, or add a customer profile with another credential"
        )
        try entry.require(
            user.agent == nil || user.password == nil && user.customer == nil,
            orFailWith: .contradictory("is the user account of an agent, but has a password or a customer profile"),
            remedy: "remove it; an agent signs in with a token of its blueprint"
        )
        if let agent = user.agent { try entry.requireGUID(agent) }
        try check(user.customer?.strongMethods ?? user.strongMethods, of: entry)
        guard let customer = user.customer else { return }
        if let v2 = customer.v2 { try Self.check(v2, of: entry) }
        try entry.require(
            user.strongMethods.isEmpty && !user.requiresSecondFactor && !user.isLocked
                && user.passwordState == .current,
            orFailWith: .contradictory("has strong methods or a state outside of the customer profile"),
            remedy: "move them into the profile"
        )
        try entry.require(
            home.kind == .external,
            orFailWith: .contradictory("is a customer, but '\(home.domain)' is not an External ID tenant"),
            remedy: "remove the customer profile, or choose another tenant"
        )
    }

    private func check(_ strongMethods: [StrongMethod], of entry: CheckedEntry) throws(InvalidEntry) {
        var methods: Set<String> = []
        for method in strongMethods {
            try entry.requireText(method.id, called: "ID of a strong method")
            try entry.claim(method.id, in: &methods, remedy: "give each strong method of a user a different ID")
            try entry.require(
                StrongMethod.isPlausible(method.address, for: method.channel),
                orFailWith: .malformed(method.address),
                remedy: "use an email address, or a phone number that starts with +"
            )
        }
    }

    /// The tenant that an entry names.
    static func tenant(_ name: String, in tenants: [Tenant], of entry: CheckedEntry) throws(InvalidEntry) -> Tenant {
        guard let tenant = tenants.first(where: { $0.isNamed(name) }) else {
            let domains = tenants.map(\.domain).joined(separator: ", ")
            throw entry.fail(.unknown(name), remedy: "choose one of the tenants: \(domains)")
        }
        return tenant
    }

    // MARK: Redirect URIs and policies

    static func parsed(_ texts: [String], of entry: CheckedEntry) throws(InvalidEntry) -> [RedirectAddress] {
        var parsed: [RedirectAddress] = []
        for text in texts {
            guard let uri = RedirectAddress(text) else {
                throw entry.fail(
                    .malformed(text),
                    remedy: "use scheme://host as the redirect URI, at most 256 characters, without a fragment"
                )
            }
            try entry.require(
                uri.scheme != "http" || uri.isLoopback,
                orFailWith: .malformed(text),
                remedy: "use https for the redirect URI; http is allowed only for localhost and 127.0.0.1"
            )
            try entry.require(
                !parsed.contains { $0.text == text },
                orFailWith: .duplicate(text),
                remedy: "register each redirect URI only once"
            )
            parsed.append(uri)
        }
        return parsed
    }

    /// Validates the settings of native authentication.
    static func check(_ native: NativeAuthSettings) throws(InvalidEntry) {
        let entry = CheckedEntry("native")
        for (name, count) in [("codeLength", native.codeLength), ("wrongCodesAllowed", native.wrongCodesAllowed)] {
            try entry.require(
                count > 0,
                orFailWith: .malformed(String(count)),
                remedy: "choose 1 or more as \(name)"
            )
        }
        try check(native.v2, of: entry)
    }

    private static func check(_ v2: NativeAuthV2Settings, of entry: CheckedEntry) throws(InvalidEntry) {
        try check(v2.attributesRequested ?? [], of: entry)
        for type in (v2.firstFactors ?? []) + (v2.secondFactors ?? []) {
            // The type becomes part of the address of a link.
            try entry.require(
                isPathSegment(type),
                orFailWith: .malformed(type),
                remedy: "use only letters, digits, dots, hyphens, and underscores in the type of a method"
            )
        }
    }

    private static func check(_ attributes: [AttributeRule], of entry: CheckedEntry) throws(InvalidEntry) {
        var names: Set<String> = []
        for rule in attributes {
            try entry.requireText(rule.name, called: "name of an attribute")
            try entry.claim(rule.name, in: &names, remedy: "list each attribute only once")
            guard let pattern = rule.pattern else { continue }
            try entry.require(
                // The reason adds nothing to the pattern itself.
                (try? NSRegularExpression(pattern: pattern)) != nil,
                orFailWith: .malformed(pattern),
                remedy: "use a valid regular expression as the pattern of '\(rule.name)'"
            )
        }
    }

    func check(_ policy: NativePolicy, of entry: CheckedEntry) throws(InvalidEntry) {
        try Self.check(policy.attributes, of: entry)
        if let v2 = policy.v2 { try Self.check(v2, of: entry) }
        try entry.require(
            policy.signUpCredential != .socialAccount,
            orFailWith: .contradictory("lets customers sign up with an account of another provider"),
            remedy: "choose a password or a code by email"
        )
        try entry.require(
            !policy.requiresSecondFactor || !policy.registrationChannels.isEmpty,
            orFailWith: .contradictory("requires a second factor that no customer can register"),
            remedy: "add a channel for the registration"
        )
    }
}

extension CheckedEntry {
    /// Checks that the emulator supports the optional claims of an entry.
    func require(
        optionalClaims claims: [EmulatorDirectory.OptionalClaim],
        outOf known: [String]
    ) throws(EmulatorDirectory.InvalidEntry) {
        for claim in claims {
            try require(
                known.contains(claim.name) || DirectoryExtension.shortName(of: claim.name) != nil,
                orFailWith: .unknown(claim.name),
                remedy: "choose from the optional claims \(known.joined(separator: ", ")), or a directory extension"
            )
            let properties = OptionalClaims.additionalProperties[claim.name] ?? []
            for property in claim.additionalProperties {
                try require(
                    properties.contains(property),
                    orFailWith: .unknown(property),
                    remedy: properties.isEmpty
                        ? "remove the additionalProperties of '\(claim.name)'"
                        : "choose from the additionalProperties \(properties.joined(separator: ", "))"
                )
            }
        }
    }
}
