// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// Replays the cache conformance data: every lookup of every pair of files, in three modes, and the save sequences.
@Suite(
    "CacheConformance",
    .enabled(if: CacheConformanceFolder.shared.exists, "\(ConformanceFiles.absence)")
)
struct CacheConformance {
    @Test func `every file can be read`() {
        #expect(CacheConformanceFolder.shared.complaints == [])
        #expect(!CacheConformanceFolder.shared.cases.isEmpty)
        #expect(!CacheConformanceFolder.shared.saves.isEmpty)
    }

    @Test(arguments: CacheRoute.allCases, CacheConformanceFolder.shared.cases)
    func `a lookup returns the expected result`(_ way: CacheRoute, _ lookup: CacheCase) async throws {
        guard CacheConformanceException.matching(lookup, through: way) != .keyBoundAfterExport else { return }

        let result = try await way.withStore(lookup.file.cache) { try await CacheRunner(lookup, $0).result() }

        let gone = lookup.unusedAccounts
        let expected = lookup.answers.map { $0.withoutSectionOfScheme.without(accounts: gone) }
        #expect(result.map { expected.contains($0) } == true, "\(result?.text ?? "nothing") is not one of \(expected)")
    }

    @Test(arguments: CacheConformanceException.allCases)
    func `every exception states how many lookups it excludes`(_ exception: CacheConformanceException) {
        let matches = CacheRoute.allCases.map { way in
            CacheConformanceFolder.shared.cases.filter {
                CacheConformanceException.matching($0, through: way) == exception
            }
        }
        print("cache conformance exception, \(matches.reduce(0) { $0 + $1.count }) lookups: \(exception.rawValue)")
        #expect(matches.allSatisfy { $0.count < CacheConformanceFolder.shared.cases.count })
    }

    @Test(arguments: StoreKind.allCases, CacheConformanceFolder.shared.saves)
    func `a sequence of saves leaves the expected records`(_ kind: StoreKind, _ rule: SaveCase) throws {
        try kind.withStore { store in
            for save in rule.saves {
                let record = try #require(rule.record(save), "The case has a record that the runner cannot read.")
                let aliases = rule.aliases.first { $0.contains(record.keys.environment ?? "") } ?? []
                try store.write(.normal) { (transaction) throws(StoreError) in
                    switch record {
                    case .accessToken(let token): try transaction.replace(token, aliases: aliases)
                    case .refreshToken(let token): try transaction.replace(token, aliases: aliases)
                    case .idToken(let token): try transaction.replace(token, aliases: aliases)
                    case .account(let account): _ = try transaction.merge(account, keepingUser: false)
                    case .appMetadata, .accountMetadata: try transaction.save(record)
                    }
                }
            }

            #expect(try store.secrets() == rule.secrets)
        }
    }
}

extension SaveCase {
    func record(_ save: [String: JSONValue]) -> CacheRecord? {
        var members = save
        if let scopes = members.removeValue(forKey: "scopes") { members["target"] = scopes }
        switch members.removeValue(forKey: "kind")?.string {
        case "access_token": return CacheRecord(kind: .accessToken, members: members)
        case "refresh_token": return CacheRecord(kind: .refreshToken, members: members)
        case "id_token": return CacheRecord(kind: .idToken, members: members)
        case "account": return CacheRecord(kind: .account, members: members)
        case "app_metadata": return CacheRecord(kind: .appMetadata, members: members)
        default: return nil
        }
    }
}

extension JSONValue {
    /// `remaining` without these rows of `Account`.
    fileprivate func without(accounts gone: Set<String>) -> JSONValue {
        guard !gone.isEmpty, var members = object, var remaining = members["remaining"]?.object else { return self }
        let left = (remaining["Account"]?.array ?? []).filter { !gone.contains($0.string ?? "") }
        remaining["Account"] = left.isEmpty ? nil : .array(left)
        members["remaining"] = .object(remaining)
        return .object(members)
    }

    /// `remaining` with the section of key-bound tokens merged into that of access tokens: this library distinguishes
    /// them by their fields (docs/reference/Cache.md#import-fields), and no result depends on their section in a file.
    fileprivate var withoutSectionOfScheme: JSONValue {
        guard var members = object, var remaining = members["remaining"]?.object,
            let bound = remaining.removeValue(forKey: "AccessToken_With_AuthScheme")?.array
        else { return self }
        let all = (remaining["AccessToken"]?.array ?? []) + bound
        remaining["AccessToken"] = .array(all.compactMap(\.string).sorted().map(JSONValue.string))
        members["remaining"] = .object(remaining)
        return .object(members)
    }
}
