// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

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
    /// The part of an agent in the token; `nil` if there is none.
    let agent: AgentClaims?
    /// Whether a token of an application has scopes, which only users give, or names a user account of an agent.
    let hasMixedKind: Bool

    /// Reads the claims of a token that this kind of authority issued.
    ///
    /// - Throws: `.notAnAccessToken` if the token names no client, as an ID token does not; `.malformedToken` if a claim has
    ///   another type.
    init(_ claims: [String: JSONValue], from authority: Authority.Kind) throws(MSALTokenRejection) {
        let scope = try Self.text("scp", in: claims)
        // An ID token has the right issuer and key, and the right audience if the app is its own API. But it names no client.
        guard
            let client = Self.client(in: claims, from: authority), claims["nonce"] == nil || scope != nil
        else { throw MSALTokenRejection(.notAnAccessToken) }
        let objectID = try Self.text("oid", in: claims)
        let subject = try Self.text("sub", in: claims)
        let type = try Self.text("idtyp", in: claims)
        self.client = client
        // Tokens of B2C have it only in the issuer.
        tenant = (try Self.text("tid", in: claims) ?? claims["iss"]?.string?.tenantIDOfIssuer)?.lowercased()
        kind =
            switch type {
            case "app": .application
            case "user": .user
            case .some: .unknown
            case nil where scope != nil: .user
            // A token of B2C for a user has this shape, too.
            case nil where authority == .b2c: .unknown
            case nil: objectID.map { $0.isExactly(subject ?? "") } == true ? .application : .unknown
            }
        scopes = Set(scope?.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } ?? [])
        roles = try Self.roles(in: claims)
        capabilities = Set(claims["xms_cc"].map { MSALClaimValue($0).strings } ?? [])
        authenticationContexts = Set(claims["acrs"].map { MSALClaimValue($0).strings } ?? [])
        confirmation = TokenConfirmation(claims["cnf"])
        agent = AgentClaims(claims)
        // Applications' tokens of B2C have scopes.
        hasMixedKind =
            type == "app" && !scopes.isEmpty && authority != .b2c
            || AgentClaims.isContradictory(claims, isApplication: kind == .application)
    }

    /// About how many bytes they take.
    var size: Int {
        let words = [scopes, roles, capabilities, authenticationContexts].joined().reduce(0) { $0 + $1.utf8.count + 64 }
        return words + client.utf8.count + (tenant?.utf8.count ?? 0) + 384
    }

    static func == (left: CommonClaims, right: CommonClaims) -> Bool {
        left === right
            || left.client.isExactly(right.client) && (left.tenant ?? "").isExactly(right.tenant ?? "")
                && left.kind == right.kind && left.hasMixedKind == right.hasMixedKind && left.agent == right.agent
                && left.scopes.isExactly(right.scopes) && left.roles.isExactly(right.roles)
                && left.capabilities.isExactly(right.capabilities) && left.confirmation == right.confirmation
                && left.authenticationContexts.isExactly(right.authenticationContexts)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(client)
        hasher.combine(tenant)
        hasher.combine(scopes)
        hasher.combine(roles)
        hasher.combine(confirmation)
    }
}

// MARK: - Reading

extension CommonClaims {
    /// Version 1.0 of Microsoft Entra names the client `appid`, everything else `azp`.
    static func clientClaim(in claims: [String: JSONValue], from authority: Authority.Kind) -> String {
        authority == .aad && claims["ver"]?.string == "1.0" ? "appid" : "azp"
    }

    private static func client(in claims: [String: JSONValue], from authority: Authority.Kind) -> String? {
        claims[clientClaim(in: claims, from: authority)]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func text(_ name: String, in claims: [String: JSONValue]) throws(MSALTokenRejection) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.string else { throw MSALTokenRejection(.malformedToken) }
        return text
    }

    private static func roles(in claims: [String: JSONValue]) throws(MSALTokenRejection) -> Set<String> {
        guard let value = claims["roles"] else { return [] }
        guard let roles = value.array, roles.allSatisfy({ $0.string != nil }) else {
            throw MSALTokenRejection(.malformedToken)
        }
        return Set(roles.compactMap(\.string))
    }
}
