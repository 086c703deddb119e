// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension AccountRecord {
    /// The optional texts by member name.
    private static let texts: [(name: String, path: any WritableKeyPath<AccountRecord, String?> & Sendable)] = [
        ("local_account_id", \.localAccountID),
        ("username", \.username),
        ("name", \.name),
        ("given_name", \.givenName),
        ("middle_name", \.middleName),
        ("family_name", \.familyName),
        ("client_info", \.clientInfo),
    ]

    init?(taking rest: inout RecordMembers) {
        guard
            let homeAccountID = rest.takeKey("home_account_id"),
            let environment = rest.takeKey("environment")
        else { return nil }
        self.init(homeAccountID: homeAccountID, environment: environment, realm: rest.takeKey("realm") ?? "")
        authorityType = rest.takeText("authority_type") ?? "Other"
        lastModified = rest.takeDate("last_modification_time")
        for (name, path) in Self.texts { self[keyPath: path] = rest.takeText(name) }
        additional = rest.values
    }

    var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("home_account_id", to: originalHomeAccountID)
        members.set("environment", to: environment)
        members.set("realm", to: realm)
        members.set("authority_type", to: authorityType)
        for (name, path) in Self.texts { members.set(name, to: self[keyPath: path]) }
        members.set("last_modification_time", to: lastModified)
        return members
    }
}

extension AppMetadataRecord {
    init?(taking rest: inout RecordMembers) {
        guard let clientID = rest.takeKey("client_id"), let environment = rest.takeKey("environment") else {
            return nil
        }
        self.init(clientID: clientID, environment: environment, familyID: rest.takeText("family_id"))
        additional = rest.values
    }

    var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("client_id", to: clientID)
        members.set("environment", to: environment)
        members.set("family_id", to: familyID)
        return members
    }
}

extension AccountMetadataRecord {
    init?(taking rest: inout RecordMembers) {
        guard let clientID = rest.takeKey("client_id") else { return nil }
        self.init(
            clientID: clientID,
            homeAccountID: rest.takeKey("home_account_id"),
            principalHomeAccountID: rest.takeText("principal_home_account_id"),
            principalUsername: rest.takeText("principal_username"),
            principalEnvironment: rest.takeText("principal_account_environment")
        )
        for (homeAccountID, value) in rest["account_metadata_map"]?.object ?? [:] {
            accounts[homeAccountID.normalizedKey] = AccountMetadata(value.object ?? [:])
        }
        rest["account_metadata_map"] = nil
        additional = rest.values
    }

    var members: RecordMembers {
        var members = RecordMembers(additional)
        members.set("client_id", to: clientID)
        members.set("home_account_id", to: homeAccountID)
        members.set("principal_home_account_id", to: principalHomeAccountID)
        members.set("principal_username", to: principalUsername)
        members.set("principal_account_environment", to: principalEnvironment)
        let map = accounts.map { ($0, JSONValue.object($1.members(clientID: clientID, homeAccountID: $0))) }
        members["account_metadata_map"] = .object(Dictionary(uniqueKeysWithValues: map))
        return members
    }
}

extension AccountMetadata {
    // The Apple libraries use this spelling. They name the two maps after the request's flag.
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
