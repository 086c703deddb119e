// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// Performs one lookup with the real client. Lookups outside the public API go to the cache below it.
struct CacheRunner {
    private let lookup: CacheCase
    private let service: CacheStandIn
    private let store: any TokenStore
    private let authority: Authority
    private let client: TokenClient

    init(_ lookup: CacheCase, _ store: any TokenStore) throws {
        self.lookup = lookup
        self.store = store
        service = CacheStandIn(lookup.file)
        let url = try Authority.url(lookup.request["authority"]?.string ?? "")
        authority = try url.host()?.hasSuffix(".b2clogin.com") == true ? Authority.b2c(url) : Authority.guess(url)
        var configuration = ClientConfiguration(
            clientID: lookup.request["client_id"]?.string ?? "",
            authority: authority,
            redirectURI: .loopback
        )
        if authority.kind != .aad { configuration.authorityRules.known = [authority] }
        let time = ManualTime(now: lookup.now, skipsSleeps: true)
        client = TokenClient(
            configuration: configuration,
            platform: Platform(transport: service, agent: StubAgent.givingCode, time: time),
            store: store,
            session: CurrentSession()
        )
    }

    /// The result in the form of the conformance data.
    func result() async throws -> JSONValue? {
        switch lookup.kind {
        case "silent" where lookup.request["token_type"] != nil: return try keyBound()
        case "silent": return try await silent()
        case "app_token": return try appToken()
        case "accounts": return try accounts()
        case "remove_account": return try await remaining()
        default:
            Issue.record("The runner does not support the kind \(lookup.kind).")
            return nil
        }
    }

    // MARK: Tokens

    private var scopes: ScopeSet { ScopeSet(lookup.request["scopes"]?.array?.compactMap(\.string) ?? []) }

    private func silent() async throws -> JSONValue {
        var token = TokenRequest(scopes: scopes)
        token.claims = lookup.request["claims"]?.string.flatMap { JSONValue(parsing: Data($0.utf8)) }
        var request = SilentRequest(token: token, account: try account())
        request.forceRefresh = lookup.request["force_refresh"] == .bool(true)
        do throws(AuthError) {
            let result = try await client.silent.acquire(request)
            return served(result.accessToken, afterRefresh: result.source == .cacheAfterFailedRefresh)
        } catch {
            if case .invalidParameter = error.kind { return .object(["outcome": .string("invalid_request")]) }
            return refused(service.refreshTokens)
        }
    }

    /// Requests with a scheme that the public API does not have yet: the cache's own result.
    private func keyBound() throws -> JSONValue {
        let account = try account()
        let resolved = authority.silentAuthority(accountTenantID: account.homeTenantID, map: [:])
        let query = AccessTokenQuery(
            homeAccountID: account.homeAccountID ?? "",
            environments: aliases,
            realm: resolved.realm,
            scopes: scopes,
            tokenType: lookup.request["token_type"]?.string ?? "",
            keyID: lookup.request["key_id"]?.string
        )
        if let hit = try hit(query) { return served(hit.token.secret) }
        let tokens = try client.cache.refreshTokenCandidates(
            homeAccountID: account.homeAccountID ?? "",
            environments: aliases
        )
        return refused(tokens.map(\.secret.exposed))
    }

    private func appToken() throws -> JSONValue {
        var query = AccessTokenQuery(homeAccountID: "", environments: aliases, realm: authority.realm, scopes: scopes)
        query.extendedKey = lookup.request["fmi_path"]?.string.map(extendedKey)
        return try hit(query).map { served($0.token.secret) } ?? refused([])
    }

    private func hit(_ query: AccessTokenQuery) throws -> AccessTokenHit? {
        let hit = try client.cache.accessToken(for: query, now: lookup.now, buffer: .seconds(300))
        return hit?.state == .usable ? hit : nil
    }

    /// MSAL Python's and Go's hash over the one extra parameter (docs/reference/Cache.md#extended-key).
    private func extendedKey(fmiPath: String) -> String {
        let text = "8:fmi_path\(fmiPath.utf8.count):\(fmiPath)"
        return Base64URL.encode(SHA256.hash(data: Data(text.utf8))).lowercased()
    }

    private func served(_ secret: Secret, afterRefresh: Bool = false) -> JSONValue {
        var members: [String: JSONValue] = ["outcome": .string("access_token"), "secret": .string(secret.exposed)]
        if afterRefresh { members["refresh_attempted"] = .bool(true) }
        return .object(members)
    }

    private func refused(_ refreshTokens: [String]) -> JSONValue {
        refreshTokens.isEmpty
            ? .object(["outcome": .string("none")])
            : .object([
                "outcome": .string("refresh"), "refresh_tokens": .array(refreshTokens.map(JSONValue.string)),
            ])
    }

    // MARK: Accounts

    private var aliases: [String] {
        lookup.file.aliases.first { $0.contains(authority.environment) } ?? [authority.environment]
    }

    private func account() throws -> AccountReference {
        if let home = lookup.request["home_account_id"]?.string {
            return AccountReference(homeAccountID: home, username: nil)
        }
        let username = lookup.request["username"]?.string
        let known = try client.accounts.all(AccountFilter(username: username))
        return AccountReference(homeAccountID: known.first?.homeAccountID, username: username)
    }

    private func accounts() throws -> JSONValue {
        let known = try client.accounts.all(AccountFilter(username: lookup.request["username"]?.string))
        let listed = known.sorted { $0.homeAccountID < $1.homeAccountID }.map {
            JSONValue.object([
                "home_account_id": .string($0.homeAccountID), "username": .string($0.username),
            ])
        }
        return .object(["outcome": .string("accounts"), "accounts": .array(listed)])
    }

    private func remaining() async throws -> JSONValue {
        let account = try account()
        try await client.signOut.signOutLocally(SignOutRequest(account: account))
        let metadata = try client.cache.metadata(homeAccountID: account.homeAccountID ?? "")
        #expect(metadata?.signInState == .signedOut)
        var sections: [String: [String]] = [:]
        for (section, entry) in try store.allEntries() { sections[section, default: []].append(entry) }
        return .object([
            "outcome": .string("removed"),
            "remaining": .object(sections.mapValues { .array($0.sorted().map(JSONValue.string)) }),
        ])
    }
}

extension TokenStore {
    /// Section and secret of every record, or its key if it has no secret. Key-bound tokens are listed with the others,
    /// since their fields count and not their section in a file (docs/reference/Cache.md#import-fields).
    fileprivate func allEntries() throws -> [(section: String, entry: String)] {
        try read { (reading) throws(StoreError) -> [[String]] in
            var found: [[String]] = []
            for kind in RecordKind.allCases {
                for record in try reading.records(RecordFilter(kind)) {
                    let members = record.members
                    func text(_ names: String...) -> String {
                        names.map { members[$0]?.string ?? "" }.joined(separator: "-").lowercased()
                    }
                    switch kind {
                    case .accessToken: found.append(["AccessToken", members["secret"]?.string ?? ""])
                    case .refreshToken: found.append(["RefreshToken", members["secret"]?.string ?? ""])
                    case .idToken: found.append(["IdToken", members["secret"]?.string ?? ""])
                    case .account: found.append(["Account", text("home_account_id", "environment", "realm")])
                    case .appMetadata: found.append(["AppMetadata", "appmetadata-" + text("environment", "client_id")])
                    case .accountMetadata: break
                    }
                }
            }
            for item in try reading.extras() {
                // An unknown section is kept as a whole, but its entries are counted.
                let names = item.name.isEmpty ? (item.value.object ?? [:]).keys.sorted() : [item.name]
                found += names.map { [item.section, item.value.object?["secret"]?.string ?? $0] }
            }
            return found
        }.map { ($0[0], $0[1]) }
    }
}
