// Licensed under the MIT License. See LICENSE.

import CommandOutput

/// Suggests the name that was probably meant.
enum NearestName {
    /// Names that Microsoft Graph, the portal, or other programs use for the same members.
    private static let synonyms: [String: String] = [
        "appid": "clientId", "application": "applications", "apps": "applications", "appname": "displayName",
        "name": "displayName", "upn": "userPrincipalName", "username": "userPrincipalName",
        "email": "userPrincipalName", "firstname": "givenName", "lastname": "surname", "objectid": "id",
        "tenantid": "tenant", "accountenabled": "isEnabled", "kind": "type", "platform": "type",
        "clientsecret": "secrets", "passwordcredentials": "secrets", "clientsecrets": "secrets",
        "keycredentials": "certificates", "replyurls": "redirectUris", "callbacks": "redirectUris",
        "federatedidentitycredentials": "federatedCredentials", "oauth2permissions": "scopes",
        "oauth2permissionscopes": "scopes", "permissions": "scopes", "audience": "clientId",
        "requestedaccesstokenversion": "accessTokenAcceptedVersion", "tokenversion": "accessTokenAcceptedVersion",
        "allowpublicclient": "allowsPublicFlows", "isfallbackpublicclient": "allowsPublicFlows",
        "resources": "apis", "identities": "managedIdentities", "roles": "appRoles", "identifiers": "identifierUris",
        "people": "users", "domains": "domain", "secret": "secrets", "enddatetime": "expiresAt", "hint": "name",
        "description": "summary",
    ]

    /// The closest of the names; `nil` if none is close.
    static func of(_ name: String, in names: [String]) -> String? {
        guard name.count <= 64 else { return nil }
        let lower = name.lowercased().filter { $0 != "_" && $0 != "-" }
        if let same = names.first(where: { $0.lowercased() == lower }) { return same }
        if let synonym = synonyms[lower], names.contains(synonym) { return synonym }
        let allowed = max(1, min(3, lower.count / 3))
        let near = names.map { (name: $0, editDistance: lower.editDistance(to: $0)) }.min {
            $0.editDistance < $1.editDistance
        }
        return near.flatMap { $0.editDistance <= allowed ? $0.name : nil }
    }
}
