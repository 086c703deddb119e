// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase

/// A cache of the conformance data with its lookups.
struct CacheFile: Sendable {
    let name: String
    /// The bytes of `NAME.cache.json`.
    let cache: Data
    let members: [String: JSONValue]

    /// The names of each cloud, instead of instance discovery.
    var aliases: [[String]] { CacheFile.aliases(members) }
    /// Tenants by domain, instead of tenant discovery.
    var tenantIDs: [String: String] { members["tenant_ids"]?.object?.compactMapValues(\.string) ?? [:] }

    static func aliases(_ members: [String: JSONValue]) -> [[String]] {
        (members["environment_aliases"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
    }
}

/// One lookup of a conformance file.
struct CacheCase: Sendable, CustomTestStringConvertible {
    let file: CacheFile
    let id: String
    let request: [String: JSONValue]
    let members: [String: JSONValue]

    var testDescription: String { id }
    var kind: String { request["kind"]?.string ?? "silent" }
    /// The clock of the lookup.
    var now: Date {
        Date(timeIntervalSince1970: members["now"]?.double ?? file.members["now"]?.double ?? 0)
    }
    /// The correct results, the preferred one first.
    var answers: [JSONValue] { [members["expect"] ?? .null] + (members["also_acceptable"]?.array ?? []) }
}

/// Consecutive saves, and the records that they must leave.
struct SaveCase: Sendable, CustomTestStringConvertible {
    let id: String
    let aliases: [[String]]
    let saves: [[String: JSONValue]]
    let secrets: [String]
    var testDescription: String { id }
}

/// The subfolder `cache` of the conformance folder, with every pair of files that it contains.
struct CacheConformanceFolder: Sendable {
    static let shared = CacheConformanceFolder(ConformanceFolder.shared.url.appending(path: "cache"))

    let exists: Bool
    let cases: [CacheCase]
    let saves: [SaveCase]
    /// Faults of existing files, all of which must be reported.
    let complaints: [String]

    init(_ folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted()
        exists = names != nil
        var cases: [CacheCase] = []
        var saves: [SaveCase] = []
        var complaints: [String] = []
        func object(_ name: String) -> [String: JSONValue]? {
            let data = try? Data(contentsOf: folder.appending(path: name))
            guard let object = data.flatMap({ JSONValue(parsing: $0)?.object }) else {
                complaints.append("\(name) is not a JSON object")
                return nil
            }
            return object
        }
        for name in names ?? [] {
            if name.hasSuffix(".expect.json"), let members = object(name) {
                let cacheName = members["cache"]?.string ?? name.replacing(".expect.json", with: ".cache.json")
                guard let cache = try? Data(contentsOf: folder.appending(path: cacheName)) else {
                    complaints.append("\(name) names \(cacheName), which does not exist")
                    continue
                }
                let file = CacheFile(name: cacheName, cache: cache, members: members)
                for value in members["lookups"]?.array ?? [] {
                    guard let lookup = value.object, let id = lookup["id"]?.string,
                        let request = lookup["request"]?.object, lookup["expect"] != nil
                    else {
                        complaints.append("\(name) contains a malformed lookup: \(value.text.prefix(80))")
                        continue
                    }
                    cases.append(CacheCase(file: file, id: id, request: request, members: lookup))
                }
            } else if name.hasSuffix(".cases.json"), let members = object(name) {
                for value in members["cases"]?.array ?? [] {
                    guard let rule = value.object, let id = rule["id"]?.string, let records = rule["saves"]?.array,
                        let secrets = rule["expect_secrets"]?.array
                    else {
                        complaints.append("\(name) contains a malformed case: \(value.text.prefix(80))")
                        continue
                    }
                    saves.append(
                        SaveCase(
                            id: id,
                            aliases: CacheFile.aliases(members),
                            saves: records.compactMap(\.object),
                            secrets: secrets.compactMap(\.string).sorted()
                        )
                    )
                }
            } else if name.hasSuffix(".cache.json"),
                !(names ?? []).contains(name.replacing(".cache.", with: ".expect."))
            {
                complaints.append("\(name) has no expectations next to it")
            }
        }
        self.cases = cases
        self.saves = saves
        self.complaints = complaints
        ConformanceFiles.announce(cases.count + saves.count, for: "CacheConformance")
    }
}
