// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The claims of an access token that decide what its bearer may do, in types that cannot be wrong.
///
/// An object, because many callers and the memory of checked tokens share it.
package final class TokenClaims: Sendable {
    /// The tenant, in lower case. It comes from `tid`, or else from the issuer's address.
    package let tenant: String?
    package let client: String
    package let objectID: String?
    package let subject: String?
    package let kind: MSALPrincipal.Kind
    package let scopes: Set<String>
    package let roles: Set<String>
    package let capabilities: Set<String>
    package let authenticationContexts: Set<String>
    package let times: TokenTimes
    /// The key or certificate that the token is bound to.
    package let confirmation: TokenConfirmation?
    /// Whether a token of an application has scopes, which only users give.
    let hasMixedKind: Bool

    /// Reads the claims.
    ///
    /// - Throws: `.notAnAccessToken` if no client got it, as is so with id tokens; `.malformedToken` if a claim has another
    ///   type.
    init(_ claims: [String: JSONValue], times: TokenTimes) throws(MSALTokenRejection) {
        self.times = times
        let scope = try Self.text("scp", in: claims)
        // An id token has the right issuer, key and, for an app that is its own API, audience. No client got it.
        guard
            let client = Self.client(in: claims), claims["nonce"].map({ $0 == .null }) ?? true || scope != nil
        else { throw MSALTokenRejection(.notAnAccessToken) }
        self.client = client
        tenant = (try Self.text("tid", in: claims) ?? Self.tenant(ofIssuer: claims["iss"]?.string))?.lowercased()
        objectID = try Self.text("oid", in: claims)
        subject = try Self.text("sub", in: claims)
        scopes = Set(scope?.split(separator: " ").map(String.init) ?? [])
        roles = try Self.roles(in: claims)
        capabilities = Set(claims["xms_cc"].map { MSALClaimValue($0).strings } ?? [])
        authenticationContexts = Set(claims["acrs"].map { MSALClaimValue($0).strings } ?? [])
        confirmation = TokenConfirmation(claims["cnf"])
        let type = try Self.text("idtyp", in: claims)
        hasMixedKind = type == "app" && !scopes.isEmpty
        switch type {
        case "app": kind = .application
        case "user": kind = .user
        case .some: kind = .unknown
        case nil where scope != nil: kind = .user
        case nil: kind = objectID != nil && objectID == subject ? .application : .unknown
        }
    }

    /// About how many bytes the claims take.
    var size: Int {
        let words = [scopes, roles, capabilities, authenticationContexts].joined().reduce(0) { $0 + $1.utf8.count + 32 }
        return words + client.utf8.count + (objectID?.utf8.count ?? 0) + (subject?.utf8.count ?? 0) + 512
    }

    /// Version 1.0 of Microsoft Entra names the client `appid`, everything else `azp`.
    private static func client(in claims: [String: JSONValue]) -> String? {
        let isVersion1 = claims["ver"]?.string == "1.0"
        let name = isVersion1 ? claims["appid"] ?? claims["azp"] : claims["azp"]
        return name?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func text(_ name: String, in claims: [String: JSONValue]) throws(MSALTokenRejection) -> String? {
        guard let value = claims[name], value != .null else { return nil }
        guard let text = value.string else { throw MSALTokenRejection(.malformedToken) }
        return text
    }

    private static func roles(in claims: [String: JSONValue]) throws(MSALTokenRejection) -> Set<String> {
        guard let value = claims["roles"], value != .null else { return [] }
        guard let roles = value.array, roles.allSatisfy({ $0.string != nil }) else {
            throw MSALTokenRejection(.malformedToken)
        }
        return Set(roles.compactMap(\.string))
    }

    /// The tenant's id in the address of an issuer. Tokens of B2C have it only there.
    private static func tenant(ofIssuer issuer: String?) -> String? {
        issuer?.split(separator: "/").first { String($0).isTenantID }.map(String.init)
    }
}

extension String {
    /// Whether the text has the form of a tenant's id, a GUID with hyphens (RFC 9562 §4).
    var isTenantID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }
}
