// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The claims of an access token that decide what its bearer may do, in types that cannot be wrong.
///
/// An object, because many callers and the memory of checked tokens share it. It is small: the memory holds many, so what
/// decides nothing is read from the token when it is asked for.
package final class TokenClaims: Sendable {
    /// What other tokens of the client have as well.
    let common: CommonClaims
    package let times: TokenTimes
    package let object: TokenObjectID

    init(common: CommonClaims, times: TokenTimes, object: TokenObjectID) {
        self.common = common
        self.times = times
        self.object = object
    }

    /// Reads the claims.
    ///
    /// - Throws: `.notAnAccessToken` if no client got it, as is so with id tokens; `.malformedToken` if a claim has another
    ///   type.
    convenience init(_ claims: [String: JSONValue], times: TokenTimes) throws(MSALTokenRejection) {
        let scope = try Self.text("scp", in: claims)
        // An id token has the right issuer, key and, for an app that is its own API, audience. No client got it.
        guard
            let client = Self.client(in: claims), claims["nonce"].map({ $0 == .null }) ?? true || scope != nil
        else { throw MSALTokenRejection(.notAnAccessToken) }
        let objectID = try Self.text("oid", in: claims)
        let subject = try Self.text("sub", in: claims)
        let scopes = Set(scope?.split(separator: " ").map(String.init) ?? [])
        let type = try Self.text("idtyp", in: claims)
        let kind: MSALPrincipal.Kind =
            switch type {
            case "app": .application
            case "user": .user
            case .some: .unknown
            case nil where scope != nil: .user
            case nil: objectID != nil && objectID == subject ? .application : .unknown
            }
        self.init(
            common: CommonClaims(
                tenant: (try Self.text("tid", in: claims) ?? Self.tenant(ofIssuer: claims["iss"]?.string))?
                    .lowercased(),
                client: client,
                kind: kind,
                scopes: scopes,
                roles: try Self.roles(in: claims),
                capabilities: Set(claims["xms_cc"].map { MSALClaimValue($0).strings } ?? []),
                authenticationContexts: Set(claims["acrs"].map { MSALClaimValue($0).strings } ?? []),
                confirmation: TokenConfirmation(claims["cnf"]),
                hasMixedKind: type == "app" && !scopes.isEmpty
            ),
            times: times,
            object: TokenObjectID(objectID)
        )
    }

    /// The tenant, in lower case. It comes from `tid`, or else from the issuer's address.
    package var tenant: String? { common.tenant }
    package var client: String { common.client }
    package var objectID: String? { object.text }
    package var kind: MSALPrincipal.Kind { common.kind }

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
