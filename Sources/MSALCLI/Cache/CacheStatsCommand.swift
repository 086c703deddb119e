// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache stats`
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the records in the store.",
        usage: "msal cache stats [options]",
        discussion: """
            Shows only numbers: no tokens, names or scopes.

            EXAMPLES
              msal cache stats
              msal cache stats --output json | jq .records.access_tokens
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try target.checkExistence()
        let statistics = try await target.run { try await $0.statistics() }
        try output.show(CacheStatsReport(group: cache.group, path: target.store.file, statistics))
    }
}

/// The report of `msal cache stats`.
struct CacheStatsReport: Report, Encodable {
    /// A key of the store's rows.
    struct Key: Encodable {
        var id: String
        var state: String
        var created: Date
        var rows: Int
    }

    var group: String
    var path: String
    var records: [String: Int]
    var expiredAccessTokens: Int
    var keptAside: Int
    var unreadableRows: Int
    @ExplicitNull var lastSweep: Date? = nil
    @ExplicitNull var keyProvider: String? = nil
    var keys: [Key]
    @ExplicitNull var storeId: String? = nil
    var bytes: Int64
    @ExplicitNull var schemaVersion: Int? = nil
    @ExplicitNull var journalMode: String? = nil

    init(group: String, path: String, _ statistics: MSALTokenStoreStatistics) {
        self.group = group
        self.path = path
        let counts = MSALTokenStoreRecordKind.allCases.map { ($0.memberName, statistics.records[$0] ?? 0) }
        records = Dictionary(uniqueKeysWithValues: counts)
        expiredAccessTokens = statistics.expiredAccessTokens
        keptAside = statistics.keptAside
        unreadableRows = statistics.unreadableRows
        lastSweep = statistics.lastSweep
        keyProvider = statistics.keyLocation?.rawValue
        keys = statistics.keys.map { Key(id: $0.id, state: $0.use.rawValue, created: $0.created, rows: $0.rows) }
        storeId = statistics.storeID
        bytes = statistics.fileSize
        schemaVersion = statistics.schemaVersion
        journalMode = statistics.journalMode
    }

    func text(_ style: Style) -> TerminalText {
        let counts = MSALTokenStoreRecordKind.allCases.map { $0.words(records[$0.memberName] ?? 0) }
        var rows: [(String, TerminalText)] = [
            ("Store", "\(path)"), ("Size", "\((bytes + 1023) / 1024) KiB"), ("Records", "\(counts[0])"),
        ]
        rows += counts.dropFirst().map { ("", "\($0)") }
        if expiredAccessTokens > 0 {
            rows.append(("Expired", "\(MSALTokenStoreRecordKind.accessToken.words(expiredAccessTokens))"))
        }
        if keptAside > 0 { rows.append(("Kept aside", "\(keptAside), kept for exports")) }
        if unreadableRows > 0 {
            rows.append(("Unreadable", style.problem("\(unreadableRows); run: msal cache doctor")))
        }
        let kind = keyProvider.flatMap(MSALTokenStoreKeyLocation.init(rawValue:))
        rows.append(("Key", "\(kind.map { $0 == .none ? "none: not encrypted" : $0.setting } ?? "unknown")"))
        if let lastSweep { rows.append(("Swept", "\(lastSweep.formatted(.iso8601))")) }
        return table(rows, style: style)
    }

    var raw: String {
        MSALTokenStoreRecordKind.allCases.map { "\($0.memberName)\t\(records[$0.memberName] ?? 0)" }.joined(
            separator: "\n"
        )
    }
}
