// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// Expands the abbreviations in the cases of `silent-scenarios`: references to fixtures, relative times, overrides.
struct SilentFixtures: Sendable {
    let members: [String: JSONValue]

    init(_ fixtures: JSONValue) {
        members = fixtures.object ?? [:]
    }

    /// The reference date of relative times.
    var clock: Date { Date(timeIntervalSince1970: members["clock"]?.double ?? 0) }

    func text(_ name: String) -> String { members[name]?.string ?? "" }

    /// A default of the file, such as `request`, with the members of a case merged into it.
    func defaults(_ name: String, with own: JSONValue?) -> [String: JSONValue] {
        let defaults = members["defaults"]?.object?[name]?.object ?? [:]
        return defaults.merging(own?.object ?? [:]) { $1 }
    }

    /// A named fixture, or `{use: name, ...overrides}`. A null override removes the member.
    func named(_ reference: JSONValue, in group: String? = nil) -> [String: JSONValue] {
        let pool = group.flatMap { members[$0]?.object } ?? members
        if let name = reference.string { return resolved(pool[name]?.object ?? [:]) }
        var own = reference.object ?? [:]
        let base = own.removeValue(forKey: "use")?.string.flatMap { pool[$0]?.object } ?? [:]
        return resolved(base.merging(own) { $1 }.filter { $0.value != .null })
    }

    /// Replaces `$name` with fixtures, and relative times with texts of seconds.
    func resolved(_ object: [String: JSONValue]) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for (name, value) in object {
            if name.hasSuffix("_rel"), let seconds = value.double {
                let moment = Int64(clock.timeIntervalSince1970 + seconds)
                result[String(name.dropLast(4))] = .string(String(moment))
            } else {
                result[name] = resolved(value)
            }
        }
        return result
    }

    func resolved(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text) where text.contains("$"):
            // The longest names first, because one may be a prefix of another.
            let names = members.filter { $0.value.string != nil }.keys.sorted { $0.count > $1.count }
            return .string(names.reduce(text) { $0.replacing("$" + $1, with: self.text($1)) })
        case .array(let values): return .array(values.map(resolved))
        case .object(let object): return .object(resolved(object))
        case .null, .bool, .integer, .number, .string: return value
        }
    }
}

/// Converts records between the cases' form, one flat object each, and the store's.
enum SilentCaseRecords {
    /// The cache of a case, or `nil` if it names an unknown record.
    static func records(_ objects: [[String: JSONValue]]) -> [CacheRecord]? {
        var records: [CacheRecord] = []
        var metadata: [String: AccountMetadataRecord] = [:]
        for object in objects {
            guard let kind = kind(of: object) else { return nil }
            if kind == .accountMetadata {
                let clientID = object["client_id"]?.string ?? ""
                let account = object["home_account_id"]?.string?.lowercased() ?? ""
                metadata[clientID, default: AccountMetadataRecord(clientID: clientID)].accounts[account] =
                    AccountMetadata(
                        signInState: object["signin_state"]?.string.flatMap(SignInState.init) ?? .unknown,
                        authorityMap: urls(object["authority_map"]),
                        instanceAwareAuthorityMap: urls(object["instance_aware_authority_map"])
                    )
            } else {
                guard let record = CacheRecord(kind: kind, members: object.filter { $0.key != "record" }) else {
                    return nil
                }
                records.append(record)
            }
        }
        return records + metadata.values.map(CacheRecord.accountMetadata)
    }

    /// A record in the form of the cases.
    static func objects(_ record: CacheRecord) -> [[String: JSONValue]] {
        switch record {
        case .accountMetadata(let metadata):
            return metadata.accounts.map { account, known in
                [
                    "record": .string("account_metadata"),
                    "client_id": .string(metadata.clientID),
                    "home_account_id": .string(account),
                    "signin_state": .string(known.signInState.rawValue),
                    "authority_map": .object(known.authorityMap.mapValues { .string($0.absoluteString) }),
                ]
            }
        case .account: return [named("account", record.members)]
        case .appMetadata: return [named("app_metadata", record.members)]
        case .accessToken, .refreshToken, .idToken: return [record.members]
        }
    }

    /// Whether `object` has all of `subset`. Null means an absent member, and numbers may be spelled as texts.
    static func contains(_ object: [String: JSONValue], _ subset: [String: JSONValue]) -> Bool {
        subset.allSatisfy { name, expected in
            switch (expected, object[name]) {
            case (.null, let actual): actual.nonNull == nil
            case (_, nil): false
            case (.string(let expected), .string(let actual)?):
                keyNames.contains(name) ? expected.lowercased() == actual.lowercased() : expected == actual
            case (let expected, let actual?):
                expected == actual || (expected.double != nil && expected.double == actual.double)
            }
        }
    }

    /// Key parts are stored in lower case.
    private static let keyNames: Set<String> = ["home_account_id", "environment", "client_id", "realm"]

    private static func named(_ name: String, _ members: [String: JSONValue]) -> [String: JSONValue] {
        members.merging(["record": .string(name)]) { $1 }
    }

    private static func kind(of object: [String: JSONValue]) -> RecordKind? {
        switch object["record"]?.string ?? object["credential_type"]?.string ?? "" {
        case "account": .account
        case "app_metadata": .appMetadata
        case "account_metadata": .accountMetadata
        case "AccessToken", "AccessToken_With_AuthScheme": .accessToken
        case "RefreshToken": .refreshToken
        case "IdToken": .idToken
        default: nil
        }
    }

    private static func urls(_ map: JSONValue?) -> [String: URL] {
        (map?.object ?? [:]).compactMapValues { $0.string.flatMap { URL(string: $0) } }
    }
}
