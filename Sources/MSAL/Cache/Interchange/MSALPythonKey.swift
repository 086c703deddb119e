// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The keys under which MSAL Python 1.39 stores entries. It computes them again to update and delete; the other
/// libraries check fields or accept any key (docs/reference/Cache.md#sections).
enum MSALPythonKey {
    static func key(of members: [String: JSONValue], in section: CacheSection) -> String {
        func text(_ name: String) -> String { members[name]?.string ?? "" }
        let account = text("home_account_id")
        let environment = text("environment")
        let client = text("client_id")
        switch section {
        case .accessToken, .boundAccessToken:
            let extendedKey = text("ext_cache_key")
            let parts = [
                account, environment, extendedKey.isEmpty ? "accesstoken" : "atext", client, text("realm"),
                text("target"),
            ]
            return joined(parts + (extendedKey.isEmpty ? [] : [extendedKey]))
        case .refreshToken:
            return joined([account, environment, "refreshtoken", client, "", text("target")])
        case .idToken:
            return joined([account, environment, "idtoken", client, text("realm"), ""])
        case .account:
            return joined([account, environment, text("realm")])
        case .appMetadata:
            // This is the only key that is not lowercased.
            return "appmetadata-\(environment)-\(client)"
        }
    }

    private static func joined(_ parts: [String]) -> String { parts.joined(separator: "-").lowercased() }
}

extension CacheRecord {
    /// The members in a form that every other library can read (docs/reference/Cache.md#export-values and #peers-fail).
    var peerMembers: [String: JSONValue] {
        var members = members
        if case .account(let account) = self {
            // Python compares the IDs of accounts and tokens exactly.
            members["home_account_id"] = .string(account.homeAccountID)
            members["username"] = .string(account.username ?? "")
        }
        return members
    }

    /// Whether this record is exported instead of another one with the same key. The family's refresh token is
    /// preferred because its client can also use it. An unmarked token is preferred to one that .NET marked in its own
    /// way. Otherwise the newer one is exported; if both are equal, always the same one.
    func replaces(_ other: CacheRecord) -> Bool {
        switch (self, other) {
        case (.refreshToken(let own), .refreshToken(let theirs))
        where (own.familyID == nil) != (theirs.familyID == nil):
            return own.familyID != nil
        case (.accessToken(let own), .accessToken(let theirs))
        where (own.extendedKey == nil) != (theirs.extendedKey == nil):
            return own.extendedKey == nil
        default:
            guard isOlder(than: other) == other.isOlder(than: self) else { return other.isOlder(than: self) }
            return identity.text < other.identity.text
        }
    }
}

extension CacheSection {
    /// An unused entry with the members that MSAL Python needs to skip it. Without them, MSAL Python fails on the whole
    /// section.
    func readableByPython(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var members = members
        func requireInteger(_ name: String, isOptional: Bool) {
            guard let value = members[name] else {
                if !isOptional { members[name] = .string("0") }
                return
            }
            let seconds = value.double.flatMap { Int64(exactly: $0.rounded(.towardZero)) } ?? 0
            members[name] = .string(String(seconds))
        }
        switch self {
        case .accessToken, .boundAccessToken:
            requireInteger("expires_on", isOptional: false)
            requireInteger("refresh_on", isOptional: true)
            if members["target"]?.string == nil { members["target"] = .string("") }
        case .refreshToken:
            requireInteger("last_modification_time", isOptional: true)
        case .account:
            if members["username"]?.string == nil { members["username"] = .string("") }
            if members["authority_type"]?.string == nil { members["authority_type"] = .string("Other") }
        case .idToken, .appMetadata:
            break
        }
        return members
    }
}
