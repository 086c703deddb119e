// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL

/// The save sequences of the shared conformance data, if `MSAL_CONFORMANCE_DIR` names it.
@Suite(.enabled(if: SaveRules.isPresent)) struct SaveRulesTests {
    @Test(arguments: StoreKind.allCases, SaveRules.cases)
    func `a sequence of saves leaves what the rules say`(kind: StoreKind, rule: SaveRules.Case) throws {
        try kind.withStore { store in
            for record in rule.records {
                let aliases = SaveRules.aliases.first { $0.contains(record.keys.environment ?? "") } ?? []
                try store.write(.normal) { (transaction) throws(StoreError) in
                    switch record {
                    case .accessToken(let token): try transaction.replace(token, aliases: aliases)
                    case .refreshToken(let token): try transaction.replace(token, aliases: aliases)
                    case .idToken, .account, .appMetadata, .accountMetadata: try transaction.save(record)
                    }
                }
            }

            #expect(try store.secrets() == rule.secrets)
        }
    }

    @Test func `all sequences were read`() {
        #expect(SaveRules.cases.count == 17)
        #expect(SaveRules.cases.allSatisfy { !$0.records.isEmpty })
    }
}

enum SaveRules {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let records: [CacheRecord]
        let secrets: [String]
        var testDescription: String { id }
    }

    private static let document: JSONValue? = {
        guard let directory = ProcessInfo.processInfo.environment["MSAL_CONFORMANCE_DIR"] else { return nil }
        let file = URL(filePath: directory).appending(path: "cache/save_rules.cases.json")
        return (try? Data(contentsOf: file)).flatMap { JSONValue(parsing: $0) }
    }()

    static var isPresent: Bool { document != nil }

    static let aliases: [[String]] = (document?.object?["environment_aliases"]?.array ?? []).map { group in
        (group.array ?? []).compactMap(\.string)
    }

    static let cases: [Case] = (document?.object?["cases"]?.array ?? []).compactMap(\.object).map { rule in
        Case(
            id: rule["id"]?.string ?? "",
            records: (rule["saves"]?.array ?? []).compactMap(\.object).compactMap(record),
            secrets: (rule["expect_secrets"]?.array ?? []).compactMap(\.string).sorted()
        )
    }

    private static func record(_ save: [String: JSONValue]) -> CacheRecord? {
        var members = save
        members["target"] = members.removeValue(forKey: "scopes")
        let kind = members.removeValue(forKey: "kind")?.string
        return CacheRecord(kind: kind == "access_token" ? .accessToken : .refreshToken, members: members)
    }
}
