// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase

/// The rules of import and export (docs/reference/Cache.md#import).
struct InterchangeTests {
    private let store = MemoryStore()

    private func entry(_ type: String, _ members: [String: JSONValue] = [:]) -> [String: JSONValue] {
        let basics: [String: JSONValue] = [
            "credential_type": .string(type), "secret": .string("fake-\(type)"),
            "home_account_id": .string(Sample.alice), "environment": .string("login.microsoftonline.com"),
            "client_id": .string(Sample.client),
        ]
        return basics.merging(members) { $1 }.filter { $0.value != .string("absent") }
    }

    private func text(_ sections: [String: [String: [String: JSONValue]]]) -> Data {
        let value = JSONValue.object(sections.mapValues { .object($0.mapValues(JSONValue.object)) })
        return Data(value.text.utf8)
    }

    @discardableResult
    private func merge(_ sections: [String: [String: [String: JSONValue]]]) throws -> ImportReport {
        try store.merge(CacheDocument(parsing: text(sections)))
    }

    private func exported(for host: String? = nil) throws -> [String: JSONValue] {
        let value = try JSONReader.value(of: store.exportedCache(forHost: host))
        return try #require(value.object)
    }

    private func entries(_ section: String, for host: String? = nil) throws -> [String: [String: JSONValue]] {
        try exported(for: host)[section]?.object?.compactMapValues(\.object) ?? [:]
    }

    // MARK: Import

    @Test func `identity is read from the fields, not from the keys`() throws {
        let report = try merge([
            "AccessToken": ["anything": entry("AccessToken", ["expires_on": .integer(1_800_003_600)])],
            "RefreshToken": ["": entry("RefreshToken", ["credential_type": .string("absent")])],
        ])

        #expect(report.records[.accessToken]?.added == 1)
        #expect(try store.secrets() == ["fake-AccessToken", "fake-RefreshToken"])
    }

    @Test(arguments: [
        JSONValue.string("1800003600"), .integer(1_800_003_600), .number(1_800_003_600.9), .string("1800003600.202"),
    ])
    func `times are texts or numbers, and fractions are truncated`(_ time: JSONValue) throws {
        try merge(["AccessToken": ["k": entry("AccessToken", ["expires_on": time, "keyid": .string("k")])]])

        let record = try #require(try store.all(.accessToken).first)
        #expect(record.members["expires_on"] == .string("1800003600"))
        #expect(record.members["kid"] == .string("k"))
    }

    @Test func `of several refresh tokens the newest is kept, in any order`() throws {
        let tokens = [("a", "2", "fake-2"), ("b", "3", "fake-3"), ("c", "1", "fake-1")].map { key, time, secret in
            (key, entry("RefreshToken", ["last_modification_time": .string(time), "secret": .string(secret)]))
        }
        try merge(["RefreshToken": Dictionary(uniqueKeysWithValues: tokens)])
        #expect(try store.secrets() == ["fake-3"])

        let older = try merge(["RefreshToken": ["k": entry("RefreshToken", ["last_modification_time": .integer(2)])]])
        #expect(older.records[.refreshToken]?.unchanged == 1)
        #expect(try store.secrets() == ["fake-3"])

        let newer = try merge(["RefreshToken": ["k": entry("RefreshToken", ["last_modification_time": .integer(4)])]])
        #expect(newer.records[.refreshToken]?.updated == 1)
        #expect(try store.secrets() == ["fake-RefreshToken"])
    }

    @Test func `the family token of an Apple type belongs to the one family`() throws {
        try merge(["RefreshToken": ["k": entry("FamilyRefreshToken")]])

        #expect(try store.all(.refreshToken).first?.keys.familyID == "1")
    }

    @Test(arguments: [
        ("no secret", "AccessToken", ["secret": JSONValue.string("absent")]),
        ("an empty secret", "RefreshToken", ["secret": .string("")]),
        ("a tombstone", "RefreshToken", ["secret": .string("<tombstone>")]),
        ("no client", "IdToken", ["client_id": .null]),
        ("a blank client", "AccessToken", ["client_id": .string("  ")]),
        ("a control character", "AccessToken", ["home_account_id": .string("ab"), "client_id": .string("a\u{1F}b")]),
        ("a control character in the account", "AccessToken", ["home_account_id": .string("a\u{1}b")]),
        ("a control character in the realm", "AccessToken", ["realm": .string("tenant\u{7F}")]),
        ("a separator in the family", "RefreshToken", ["family_id": .string("1\u{1F}")]),
        ("a line break in the token", "AccessToken", ["secret": .string("a\r\nX-Evil: 1")]),
        ("an unknown type", "AccessToken", ["credential_type": .string("Novel")]),
        ("a scheme without its name", "AccessToken", ["credential_type": .string("AccessToken_With_AuthScheme")]),
    ])
    func `an unusable entry is not returned by lookups, and is exported verbatim`(
        _ what: String,
        section: String,
        members: [String: JSONValue]
    ) throws {
        let original = entry(section, members.merging(["expires_on": .string("1"), "target": .string("A")]) { $1 })
        let report = try merge([section: ["the key": original]])

        #expect(report.extras == 1)
        #expect(try store.secrets().isEmpty)
        let isBound = members["credential_type"] == .string("AccessToken_With_AuthScheme")
        #expect(try entries(section)["the key"] == (isBound ? nil : original))
    }

    @Test func `unknown members and sections survive, and two imports of one section are merged`() throws {
        let wide: [String: JSONValue] = ["ext": .object(["a": .array([.integer(1), .null])]), "x": .bool(true)]
        try merge(["RefreshToken": ["k": entry("RefreshToken", wide)]])
        _ = try store.merge(
            CacheDocument(parsing: Data(#"{"Account":{},"Vendor":{"a":[1]},"Text":"t","Empty":{}}"#.utf8))
        )
        _ = try store.merge(CacheDocument(parsing: Data(#"{"Account":{},"Vendor":{"b":null}}"#.utf8)))

        let document = try exported()

        let token = try #require(try entries("RefreshToken").values.first)
        #expect(token["ext"] == wide["ext"] && token["x"] == .bool(true))
        #expect(document["Vendor"] == .object(["a": .array([.integer(1)]), "b": .null]))
        #expect(document["Text"] == .string("t") && document["Empty"] == .object([:]))
    }

    @Test func `a signed-out account stays signed out after an import, and its tokens are not exported`() throws {
        let cache = TokenCache(store: store, clientID: Sample.client)
        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)

        try merge(["RefreshToken": ["k": entry("RefreshToken")]])

        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedOut)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).isEmpty)
        #expect(try entries("RefreshToken").isEmpty)
    }

    @Test func `account metadata of other libraries are neither imported nor exported`() throws {
        let text = #"{"AccountMetadataMap": {"k": {"client_id": "\#(Sample.client)"}}, "AccountMetadata": {"a": {}}}"#

        let report = try store.merge(CacheDocument(parsing: Data(text.utf8)))

        #expect(report.ignored == 2 && report.extras == 0)
        #expect(try store.all(.accountMetadata).isEmpty)
        #expect(try exported().keys.allSatisfy { !$0.hasPrefix("AccountMetadata") })
    }

    @Test(arguments: [
        #"{"AccessToken": {"a": {}}, "#, #"[]"#, #"{"AccessToken": []}"#, #"{"a":1}"}}"#, "nonsense", "\u{0}",
        #"{"username": "megan@contoso.example", "password": "fake-password"}"#,
    ])
    func `damaged text changes nothing`(_ text: String) throws {
        try store.put(.refreshToken(Sample.refreshToken()))
        let before = try store.exportedCache()

        #expect(throws: InterchangeError.self) { try store.merge(CacheDocument(parsing: Data(text.utf8))) }

        let after = try store.exportedCache()
        #expect(after == before)
    }

    @Test func `an error names the position and repeats nothing of the text`() throws {
        let text = Data("{\n  \"AccessToken\": {\"k\": {\"secret\": \"fake-secret\"}\n".utf8)

        let error = try #require(throws: InterchangeError.self) { try CacheDocument(parsing: text) }

        #expect(error.message.contains("line 3, column 1"))
        #expect(!error.message.contains("fake-secret"))
    }

    @Test func `base64, a byte order mark and blank text are accepted`() throws {
        let json = text(["RefreshToken": ["k": entry("RefreshToken")]])

        #expect(try CacheDocument(parsing: Data(json.base64EncodedString().utf8)).records.count == 1)
        #expect(try CacheDocument(parsing: Data([0xEF, 0xBB, 0xBF]) + json).records.count == 1)
        #expect(try CacheDocument(parsing: Data(" \n".utf8)).records.isEmpty)
        #expect(try CacheDocument(parsing: Data()).records.isEmpty)
    }

    @Test func `a text that is nested too deeply is rejected`() {
        let deep = #"{"X":"# + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"

        #expect(throws: InterchangeError.self) { try CacheDocument(parsing: Data(deep.utf8)) }
    }

    // MARK: Export

    @Test func `keys match those that MSAL Python builds`() throws {
        let home = Sample.alice
        try store.put(
            .accessToken(Sample.accessToken(target: "User.Read openid")),
            .refreshToken(Sample.refreshToken(family: "1")),
            .account(Sample.account()),
            .appMetadata(AppMetadataRecord(clientID: Sample.client, environment: Sample.environment, familyID: "1"))
        )

        let place = "\(home)-login.windows.net"
        #expect(
            try entries("AccessToken").keys.sorted()
                == ["\(place)-accesstoken-\(Sample.client)-\(Sample.tenant)-user.read openid"]
        )
        #expect(try entries("RefreshToken").keys.sorted() == ["\(place)-refreshtoken-\(Sample.client)--"])
        #expect(try entries("Account").keys.sorted() == ["\(place)-\(Sample.tenant)"])
        #expect(try entries("AppMetadata").keys.sorted() == ["appmetadata-login.windows.net-\(Sample.client)"])
    }

    @Test func `records that make MSAL Python fail are not exported`() throws {
        try store.put(.account(AccountRecord(homeAccountID: "A.B", environment: "h", realm: "b")))
        try merge([
            "AccessToken": [
                "usable": entry("AccessToken"), "odd": entry("AccessToken", ["secret": .string("absent")]),
            ],
            "RefreshToken": ["k": entry("RefreshToken", ["last_modification_time": .string("1800000000.202")])],
            "Account": ["odd": ["username": .null]],
        ])
        _ = try store.merge(CacheDocument(parsing: Data(#"{"AccessToken": {"number": 5}}"#.utf8)))

        #expect(try entries("AccessToken").count == 2)
        #expect(try entries("AccessToken").values.allSatisfy { $0["expires_on"]?.string.flatMap { Int($0) } != nil })
        #expect(try entries("RefreshToken").values.first?["last_modification_time"] == .string("1800000000"))
        #expect(try entries("Account").values.allSatisfy { $0["username"] == .string("") })
        #expect(try entries("Account").values.allSatisfy { $0["authority_type"]?.string != nil })
        #expect(try entries("Account")["a.b-h-b"]?["home_account_id"] == .string("a.b"))
    }

    @Test func `an app-only token keeps its null and its own key`() throws {
        let members: [String: JSONValue] = ["home_account_id": .null, "realm": .string("t"), "target": .string("S")]
        try merge([
            "AccessToken": [
                "a": entry("AccessToken", members),
                "b": entry("AccessToken", members.merging(["ext_cache_key": .string("x")]) { $1 }),
            ]
        ])

        let found = try entries("AccessToken")

        let place = "-login.microsoftonline.com"
        #expect(
            found.keys.sorted()
                == ["\(place)-accesstoken-\(Sample.client)-t-s", "\(place)-atext-\(Sample.client)-t-s-x"]
        )
        #expect(found.values.allSatisfy { $0["home_account_id"] == .null })
    }

    @Test func `no token that is bound to a key or a device is exported`() throws {
        try store.put(.accessToken(Sample.accessToken("fake-pop", tokenType: "Pop", keyID: "k")))
        try merge([
            "AccessToken": ["cert": entry("AccessToken", ["token_type": .string("ssh-cert"), "key_id": .string("k")])],
            "AccessToken_With_AuthScheme": [
                "pop": entry("AccessToken_With_AuthScheme", ["token_type": .string("Pop"), "kid": .string("k")])
            ],
            "RefreshToken": ["prt": entry("PrimaryRefreshToken"), "bound": entry("BoundRefreshToken")],
            "PrimaryRefreshToken": ["x": entry("PrimaryRefreshToken")],
            "Vendor": ["bound": entry("BoundRefreshToken")],
        ])

        let text = String(decoding: try store.exportedCache(), as: UTF8.self)

        #expect(!text.contains("fake-"))
        #expect(try exported()["AccessToken_With_AuthScheme"] == nil)
    }

    @Test func `another host of the cloud can be requested`() throws {
        try store.put(.refreshToken(Sample.refreshToken()), .account(Sample.account()))

        let tokens = try entries("RefreshToken", for: "login.microsoftonline.com")

        #expect(tokens.values.first?["environment"] == .string("login.microsoftonline.com"))
        #expect(tokens.keys.first?.contains("-login.microsoftonline.com-") == true)
        #expect(try entries("RefreshToken", for: "login.microsoftonline.us").keys.first?.contains("windows") == true)
    }

    @Test func `of the client's and the family's refresh token under one key the family's is written`() throws {
        try store.put(
            .refreshToken(Sample.refreshToken("fake-own")),
            .refreshToken(Sample.refreshToken("fake-family", family: "1"))
        )

        #expect(try entries("RefreshToken").values.map { $0["secret"] } == [.string("fake-family")])
    }

    @Test func `an export is equal to that of its import`() throws {
        _ = try TokenCache(store: store, clientID: Sample.client).save(Sample.save(family: "1"))
        let first = try store.exportedCache()
        let other = MemoryStore()

        _ = try other.merge(CacheDocument(parsing: first))

        let second = try other.exportedCache()
        #expect(second == first)
        #expect(first.last == UInt8(ascii: "\n"))
    }

    @Test(arguments: StoreKind.allCases)
    func `every kind of store exports the same`(kind: StoreKind) throws {
        for text in try CacheCorpus.files() {
            guard let document = try? CacheDocument(parsing: Data(text)) else { continue }  // Rejected by all kinds.
            let memory = MemoryStore()
            _ = try memory.merge(document)
            let expected = try memory.exportedCache()

            let exported = try kind.withStore { store in
                _ = try store.merge(document)
                return try store.exportedCache()
            }

            #expect(exported == expected)
        }
    }

    // MARK: Records

    @Test func `refresh tokens under several names of a cloud are tried newest first, each once`() throws {
        var tokens = [
            Sample.refreshToken("fake-old"),
            Sample.refreshToken("fake-new", environment: Sample.aliases[1]),
            Sample.refreshToken("fake-new", client: Sample.otherClient, family: "1"),
            Sample.refreshToken("fake-family", client: Sample.otherClient, environment: Sample.aliases[1], family: "1"),
        ]
        tokens[1].lastModified = Sample.now + 1
        for token in tokens { try store.put(.refreshToken(token)) }

        let found = try TokenCache(store: store, clientID: Sample.client)
            .refreshTokenCandidates(homeAccountID: Sample.alice, environments: Sample.aliases)

        #expect(found.map(\.secret.exposed) == ["fake-new", "fake-old", "fake-family"])
    }

    @Test func `tokens for claims or with a mark are returned for no other request`() throws {
        let query = Sample.query()
        let cache = TokenCache(store: store, clientID: Sample.client)
        for (name, value) in [("requestedClaimsHash", "h"), ("requestedClaims", "{}"), ("ext_cache_key", "x")] {
            var token = Sample.accessToken("fake-\(name)")
            token.additional[name] = .string(value)
            try store.put(.accessToken(token))
        }

        #expect(try store.all(.accessToken).count == 3)
        #expect(try cache.accessToken(for: query, now: Sample.now, buffer: .zero) == nil)
    }

    @Test func `a Bearer token that names a key is not returned for other requests`() throws {
        try store.put(.accessToken(Sample.accessToken(keyID: "k")))
        let cache = TokenCache(store: store, clientID: Sample.client)

        #expect(try cache.accessToken(for: Sample.query(), now: Sample.now, buffer: .zero) == nil)
    }

    @Test(arguments: ["1e300", "-1e300", "9223372036854775807", "0x10p9999", "nan", "", "1_0"])
    func `a time outside the calendar is ignored`(_ text: String) throws {
        try StoreKind.sqlite.withStore { store in
            let members = entry("AccessToken", ["expires_on": .string(text), "cached_at": .string(text)])
            _ = try store.merge(CacheDocument(parsing: self.text(["AccessToken": ["k": members]])))

            let record = try #require(try store.all(.accessToken).first)
            #expect(record.members["expires_on"] == .string("0"))
        }
    }
}
