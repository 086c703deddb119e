// Licensed under the MIT License. See LICENSE.

import Foundation

/// The JSON objects of the unified cache schema (token-cache.md 1.1 to 1.3 and 10).
extension CacheRecord {
    /// Reads a record of a known kind.
    ///
    /// `nil` if a field is missing without which the record cannot be used. Unknown fields are kept.
    package init?(kind: RecordKind, members: [String: JSONValue]) {
        self.init(kind: kind, RecordMembers(members))
    }

    /// The record as a JSON object.
    package var members: [String: JSONValue] { recordMembers.values }

    init?(kind: RecordKind, _ members: RecordMembers) {
        var rest = members
        switch kind {
        case .accessToken:
            guard let record = AccessTokenRecord(taking: &rest) else { return nil }
            self = .accessToken(record)
        case .refreshToken:
            guard let record = RefreshTokenRecord(taking: &rest) else { return nil }
            self = .refreshToken(record)
        case .idToken:
            guard let record = IDTokenRecord(taking: &rest) else { return nil }
            self = .idToken(record)
        case .account:
            guard let record = AccountRecord(taking: &rest) else { return nil }
            self = .account(record)
        case .appMetadata:
            guard let record = AppMetadataRecord(taking: &rest) else { return nil }
            self = .appMetadata(record)
        case .accountMetadata:
            guard let record = AccountMetadataRecord(taking: &rest) else { return nil }
            self = .accountMetadata(record)
        }
    }

    var recordMembers: RecordMembers {
        switch self {
        case .accessToken(let record): record.members
        case .refreshToken(let record): record.members
        case .idToken(let record): record.members
        case .account(let record): record.members
        case .appMetadata(let record): record.members
        case .accountMetadata(let record): record.members
        }
    }
}

extension AccessTokenRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        _ = rest.takeText("credential_type")
        guard
            let environment = rest.takeText("environment"),
            let clientID = rest.takeText("client_id"),
            let secret = rest.takeText("secret")
        else { return nil }
        self.init(
            // App-only tokens have no account; peers write null.
            homeAccountID: rest.takeText("home_account_id") ?? "",
            environment: environment,
            clientID: clientID,
            realm: rest.takeText("realm") ?? "",
            target: rest.takeText("target") ?? "",
            secret: Secret(secret),
            cachedAt: rest.takeDate("cached_at") ?? Date(timeIntervalSince1970: 0),
            expiresOn: rest.takeDate("expires_on") ?? Date(timeIntervalSince1970: 0),
            extendedExpiresOn: rest.takeDate("extended_expires_on", "ext_expires_on"),
            refreshOn: rest.takeDate("refresh_on"),
            tokenType: rest.takeText("token_type") ?? "Bearer",
            keyID: rest.takeText("kid", "key_id", "keyid"),
            requestedClaims: rest.takeText("requested_claims"),
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        let isBearer = tokenType.normalizedKey == "bearer"
        members.set("credential_type", isBearer ? "AccessToken" : "AccessToken_With_AuthScheme")
        members.set("home_account_id", homeAccountID)
        members.set("environment", environment)
        members.set("client_id", clientID)
        members.set("realm", realm)
        members.set("target", target)
        members.set("secret", secret.exposed)
        members.set("cached_at", cachedAt)
        members.set("expires_on", expiresOn)
        members.set("extended_expires_on", extendedExpiresOn)
        members.set("refresh_on", refreshOn)
        members.set("token_type", tokenType)
        members.set("kid", keyID)
        members.set("requested_claims", requestedClaims)
        members.set("last_modification_time", lastModified)
        return members
    }
}

extension RefreshTokenRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        _ = rest.takeText("credential_type")
        guard
            let homeAccountID = rest.takeText("home_account_id"),
            let environment = rest.takeText("environment"),
            let clientID = rest.takeText("client_id"),
            let secret = rest.takeText("secret")
        else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            environment: environment,
            clientID: clientID,
            secret: Secret(secret),
            familyID: rest.takeText("family_id"),
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("credential_type", "RefreshToken")
        members.set("home_account_id", homeAccountID)
        members.set("environment", environment)
        members.set("client_id", clientID)
        members.set("secret", secret.exposed)
        members.set("family_id", familyID)
        members.set("last_modification_time", lastModified)
        return members
    }
}

extension IDTokenRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        _ = rest.takeText("credential_type")
        guard
            let homeAccountID = rest.takeText("home_account_id"),
            let environment = rest.takeText("environment"),
            let clientID = rest.takeText("client_id"),
            let secret = rest.takeText("secret")
        else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            environment: environment,
            clientID: clientID,
            realm: rest.takeText("realm") ?? "",
            secret: Secret(secret),
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("credential_type", "IdToken")
        members.set("home_account_id", homeAccountID)
        members.set("environment", environment)
        members.set("client_id", clientID)
        members.set("realm", realm)
        members.set("secret", secret.exposed)
        members.set("last_modification_time", lastModified)
        return members
    }
}

extension AccountRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        guard
            let homeAccountID = rest.takeText("home_account_id"),
            let environment = rest.takeText("environment")
        else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            environment: environment,
            realm: rest.takeText("realm") ?? "",
            localAccountID: rest.takeText("local_account_id"),
            username: rest.takeText("username"),
            authorityType: rest.takeText("authority_type") ?? "Other",
            name: rest.takeText("name"),
            givenName: rest.takeText("given_name"),
            middleName: rest.takeText("middle_name"),
            familyName: rest.takeText("family_name"),
            clientInfo: rest.takeText("client_info"),
            lastModified: rest.takeDate("last_modification_time")
        )
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("home_account_id", originalHomeAccountID)
        members.set("environment", environment)
        members.set("realm", realm)
        members.set("local_account_id", localAccountID)
        members.set("username", username)
        members.set("authority_type", authorityType)
        members.set("name", name)
        members.set("given_name", givenName)
        members.set("middle_name", middleName)
        members.set("family_name", familyName)
        members.set("client_info", clientInfo)
        members.set("last_modification_time", lastModified)
        return members
    }
}

extension AppMetadataRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        guard let clientID = rest.takeText("client_id"), let environment = rest.takeText("environment") else {
            return nil
        }
        self.init(clientID: clientID, environment: environment, familyID: rest.takeText("family_id"))
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("client_id", clientID)
        members.set("environment", environment)
        members.set("family_id", familyID)
        return members
    }
}

extension AccountMetadataRecord {
    fileprivate init?(taking rest: inout RecordMembers) {
        guard let clientID = rest.takeText("client_id") else { return nil }
        self.init(
            clientID: clientID,
            principalHomeAccountID: rest.takeText("principal_home_account_id"),
            principalUsername: rest.takeText("principal_username"),
            principalEnvironment: rest.takeText("principal_account_environment")
        )
        for (homeAccountID, value) in rest.values.removeValue(forKey: "account_metadata_map")?.object ?? [:] {
            accounts[homeAccountID.normalizedKey] = AccountMetadata(value.object ?? [:])
        }
        additional = rest.values
    }

    fileprivate var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("client_id", clientID)
        members.set("principal_home_account_id", principalHomeAccountID)
        members.set("principal_username", principalUsername)
        members.set("principal_account_environment", principalEnvironment)
        let map = accounts.map { ($0, JSONValue.object($1.members(clientID: clientID, homeAccountID: $0))) }
        members.values["account_metadata_map"] = .object(Dictionary(uniqueKeysWithValues: map))
        return members
    }
}

extension AccountMetadata {
    // The Apple libraries spell it so, and name the two maps by the request's flag.
    private static let mapName = "athority_map"
    private static let plainName = "URLMap-"
    private static let instanceAwareName = "URLMap-instance_aware=YES"

    fileprivate init(_ members: [String: JSONValue]) {
        func urls(_ name: String) -> [String: URL] {
            let map = members[Self.mapName]?.object?[name]?.object ?? [:]
            return map.compactMapValues { $0.string.flatMap { URL(string: $0) } }
        }
        self.init(
            signInState: members["sign_in_state"]?.string.flatMap(SignInState.init) ?? .unknown,
            authorityMap: urls(Self.plainName),
            instanceAwareAuthorityMap: urls(Self.instanceAwareName)
        )
    }

    fileprivate func members(clientID: String, homeAccountID: String) -> [String: JSONValue] {
        func object(_ map: [String: URL]) -> JSONValue { .object(map.mapValues { .string($0.absoluteString) }) }
        return [
            "client_id": .string(clientID),
            "home_account_id": .string(homeAccountID),
            "sign_in_state": .string(signInState.rawValue),
            Self.mapName: .object([
                Self.plainName: object(authorityMap),
                Self.instanceAwareName: object(instanceAwareAuthorityMap),
            ]),
        ]
    }
}
