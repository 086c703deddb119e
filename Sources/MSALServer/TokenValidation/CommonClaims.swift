// Licensed under the MIT License. See LICENSE.

/// The claims that the tokens of a client's users have in common, tenant by tenant. The memory of checked tokens keeps
/// equal ones once.
final class CommonClaims: Sendable, Hashable {
    let tenant: String?
    let client: String
    let kind: MSALPrincipal.Kind
    let scopes: Set<String>
    let roles: Set<String>
    let capabilities: Set<String>
    let authenticationContexts: Set<String>
    /// The key or certificate that the token is bound to.
    let confirmation: TokenConfirmation?
    /// Whether a token of an application has scopes, which only users give.
    let hasMixedKind: Bool

    init(
        tenant: String?,
        client: String,
        kind: MSALPrincipal.Kind,
        scopes: Set<String>,
        roles: Set<String>,
        capabilities: Set<String>,
        authenticationContexts: Set<String>,
        confirmation: TokenConfirmation?,
        hasMixedKind: Bool
    ) {
        self.tenant = tenant
        self.client = client
        self.kind = kind
        self.scopes = scopes
        self.roles = roles
        self.capabilities = capabilities
        self.authenticationContexts = authenticationContexts
        self.confirmation = confirmation
        self.hasMixedKind = hasMixedKind
    }

    /// About how many bytes they take.
    var size: Int {
        let words = [scopes, roles, capabilities, authenticationContexts].joined().reduce(0) { $0 + $1.utf8.count + 64 }
        return words + client.utf8.count + (tenant?.utf8.count ?? 0) + 384
    }

    static func == (left: CommonClaims, right: CommonClaims) -> Bool {
        left === right
            || left.client == right.client && left.tenant == right.tenant && left.kind == right.kind
                && left.hasMixedKind == right.hasMixedKind && left.scopes == right.scopes && left.roles == right.roles
                && left.capabilities == right.capabilities && left.confirmation == right.confirmation
                && left.authenticationContexts == right.authenticationContexts
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(client)
        hasher.combine(tenant)
        hasher.combine(scopes)
        hasher.combine(roles)
        hasher.combine(confirmation)
    }
}
