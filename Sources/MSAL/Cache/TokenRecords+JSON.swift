// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The members that the objects of all tokens have in common.
private struct CommonTokenMembers {
    var homeAccountID: String?
    let environment: String
    let clientID: String
    let secret: Secret

    /// - Parameter rest: The members to read, which are removed from it.
    init?(taking rest: inout RecordMembers) {
        guard
            let environment = rest.takeKey("environment"), let clientID = rest.takeKey("client_id"),
            let secret = rest.takeSecret()
        else { return nil }
        _ = rest.takeText("credential_type")
        homeAccountID = rest.takeKey("home_account_id")
        self.environment = environment
        self.clientID = clientID
        self.secret = secret
    }
}

extension TokenRecord {
    /// The common members, added to the record's unknown ones.
    fileprivate func members(of type: String) -> RecordMembers {
        var members = RecordMembers(additional)
        members.set("credential_type", to: type)
        members.set("home_account_id", to: homeAccountID)
        members.set("environment", to: environment)
        members.set("client_id", to: clientID)
        members.set("secret", to: secret.exposed)
        return members
    }
}

extension AccessTokenRecord {
    init?(taking rest: inout RecordMembers) {
        guard let head = CommonTokenMembers(taking: &rest) else { return nil }
        let target = rest.takeText("target") ?? ""
        // An import may contain anything. A token with too many scopes is kept for exports but not used. The scopes are
        // counted only if the text is long enough for that many, which is hardly ever the case.
        guard target.utf8.count < ScopeSet.most || ScopeSet(parsing: target).values.count <= ScopeSet.most else {
            return nil
        }
        self.init(
            // App-only tokens have no account; other libraries write null.
            homeAccountID: head.homeAccountID ?? "",
            environment: head.environment,
            clientID: head.clientID,
            realm: rest.takeKey("realm") ?? "",
            target: target,
            secret: head.secret,
            life: TokenLife(
                cachedAt: rest.takeDate("cached_at") ?? Date(timeIntervalSince1970: 0),
                expiresOn: rest.takeDate("expires_on") ?? Date(timeIntervalSince1970: 0),
                extendedExpiresOn: rest.takeDate("extended_expires_on", "ext_expires_on"),
                refreshOn: rest.takeDate("refresh_on")
            )
        )
        tokenType = rest.takeText("token_type") ?? "Bearer"
        keyID = rest.takeText("kid", "key_id", "keyid")
        requestedClaims = rest.takeText("requested_claims")
        lastModified = rest.takeDate("last_modification_time")
        additional = rest.values
    }

    var members: RecordMembers {
        var members = members(of: isKeyBound ? "AccessToken_With_AuthScheme" : "AccessToken")
        // MSAL Python finds an app-only token only if the value is null (docs/reference/Cache.md#app-only).
        if homeAccountID.isEmpty { members["home_account_id"] = .null }
        members.set("realm", to: realm)
        members.set("target", to: target)
        members.set("cached_at", to: life.cachedAt)
        members.set("expires_on", to: life.expiresOn)
        members.set("extended_expires_on", to: life.extendedExpiresOn)
        members.set("refresh_on", to: life.refreshOn)
        members.set("token_type", to: tokenType)
        members.set("kid", to: keyID)
        members.set("requested_claims", to: requestedClaims)
        members.set("last_modification_time", to: lastModified)
        return members
    }
}

extension RefreshTokenRecord {
    init?(taking rest: inout RecordMembers) {
        // Microsoft has one family of clients, "1". A family token that does not name its family belongs to it.
        let isFamily = rest["credential_type"]?.string?.lowercased() == "familyrefreshtoken"
        guard let head = CommonTokenMembers(taking: &rest), let homeAccountID = head.homeAccountID else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            environment: head.environment,
            clientID: head.clientID,
            secret: head.secret,
            familyID: rest.takeText("family_id") ?? (isFamily ? "1" : nil),
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    var members: RecordMembers {
        var members = members(of: "RefreshToken")
        members.set("family_id", to: familyID)
        members.set("last_modification_time", to: lastModified)
        return members
    }
}

extension IDTokenRecord {
    init?(taking rest: inout RecordMembers) {
        guard let head = CommonTokenMembers(taking: &rest), let homeAccountID = head.homeAccountID else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            environment: head.environment,
            clientID: head.clientID,
            realm: rest.takeKey("realm") ?? "",
            secret: head.secret,
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    var members: RecordMembers {
        var members = members(of: "IdToken")
        members.set("realm", to: realm)
        members.set("last_modification_time", to: lastModified)
        return members
    }
}
