// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
package import SealedStore

extension TokenStore {
    /// Exports the store as a token cache in the unified schema, which Microsoft's other libraries can read.
    ///
    /// The text contains refresh tokens in plain text. It omits key-bound tokens, account metadata, and the tokens of
    /// clients that an account was signed out of (docs/reference/Cache.md#export-bound and #export-private). Equal
    /// states result in equal bytes.
    ///
    /// - Parameter host: Writes the records of the host's cloud under this name because MSAL Python reads only the name
    ///   in its authority (docs/reference/Cache.md#export-host). `nil` keeps the stored names.
    /// - Returns: UTF-8, indented, with a final newline.
    /// - Throws: If the store cannot be read.
    package func exportedCache(forHost host: String? = nil) throws(StoreError) -> Data {
        // The transaction ends before the text is created, which takes longer.
        let contents = try read { (reading) throws(StoreError) in try CacheContents(reading) }
        return CacheExport(contents, host: host).text
    }
}

/// The content of a store that an export depends on.
private struct CacheContents: Sendable {
    let records: [CacheRecord]
    let extras: [ExtraItem]
    let signedOut: SignedOut

    init(_ reading: any TokenStoreReading) throws(StoreError) {
        var records: [CacheRecord] = []
        for kind in RecordKind.allCases where kind != .accountMetadata {
            records += try reading.records(RecordFilter(kind))
        }
        self.records = records
        extras = try reading.extras()
        signedOut = try SignedOut(reading)
    }
}

/// Collects the sections of an export.
struct CacheExport {
    private var sections: [String: [String: JSONValue]] = [:]
    /// Other libraries' sections that are not objects.
    private var unknownSections: [String: JSONValue] = [:]

    fileprivate init(_ contents: CacheContents, host: String?) {
        for section in CacheSection.allCases where section.isExported { sections[section.rawValue] = [:] }
        let aliases = Set(host.flatMap(KnownClouds.metadata)?.aliases ?? [])
        for record in contents.records where !contents.signedOut.contains(record) {
            guard let section = CacheSection(record), section.isExported else { continue }
            var members = record.peerMembers
            if let host, let environment = members["environment"]?.string, aliases.contains(environment) {
                members["environment"] = .string(host.lowercased())
            }
            add(members, of: record, to: section)
        }
        for item in contents.extras { add(item) }
    }

    fileprivate var text: Data {
        var all = sections.mapValues(JSONValue.object)
        all.merge(unknownSections) { own, _ in own }
        return Data(JSONWriter.bytes(of: .object(all), indentation: 4) + [UInt8(ascii: "\n")])
    }

    private mutating func add(_ members: [String: JSONValue], of record: CacheRecord, to section: CacheSection) {
        let key = MSALPythonKey.key(of: members, in: section)
        // Two records can share a key: records under two names of one cloud, and a client's own token and its family's.
        // The family's token serves both. Otherwise the newer record is exported.
        if let present = sections[section.rawValue]?[key]?.object,
            let other = section.kind(of: present).flatMap({ CacheRecord(kind: $0, members: present) }),
            !record.replaces(other)
        {
            return
        }
        sections[section.rawValue]?[key] = .object(members)
    }

    private mutating func add(_ item: ExtraItem) {
        guard let section = CacheSection(rawValue: item.section) else {
            guard CacheSection.isExportable(section: item.section) else { return }
            if let entries = item.value.object {
                sections[item.section] = entries.filter { CacheSection.isExportable($0.value) }
            } else {
                unknownSections[item.section] = item.value
            }
            return
        }
        guard section.isExported, CacheSection.isExportable(item.value),
            // Other libraries fail on an entry that is not a JSON object, and would not read anything in this section.
            let members = item.value.object, sections[item.section]?[item.name] == nil
        else { return }
        sections[item.section]?[item.name] = .object(section.readableByPython(members))
    }
}

extension CacheExport {
    /// Whether an export differs if the store has `new` instead of `old`, a record of the same identity.
    static func differs(from old: CacheRecord?, to new: CacheRecord?) -> Bool {
        if old == new { return false }
        if case .accountMetadata = old ?? new { return signedOutAccounts(old) != signedOutAccounts(new) }
        return [old, new].contains { $0.flatMap(CacheSection.init)?.isExported == true }
    }

    private static func signedOutAccounts(_ record: CacheRecord?) -> Set<String> {
        guard case .accountMetadata(let metadata) = record else { return [] }
        return Set(metadata.accounts.filter { $0.value.signInState == .signedOut }.keys)
    }
}

/// The accounts that clients were signed out of.
private struct SignedOut: Sendable {
    private struct Pair: Hashable {
        let clientID: String
        let homeAccountID: String
    }

    private var pairs: Set<Pair> = []

    init(_ reading: any TokenStoreReading) throws(StoreError) {
        var states: [Pair: SignInState] = [:]
        let records = try reading.records(RecordFilter(.accountMetadata)).compactMap { record in
            if case .accountMetadata(let metadata) = record { metadata } else { nil }
        }
        // The account's record takes precedence over the client's own.
        for metadata in records.sorted(by: { $0.homeAccountID == nil && $1.homeAccountID != nil }) {
            for (homeAccountID, account) in metadata.accounts {
                states[Pair(clientID: metadata.clientID, homeAccountID: homeAccountID)] = account.signInState
            }
        }
        pairs = Set(states.filter { $0.value == .signedOut }.keys)
    }

    /// Whether `record` is a credential of such a client and account.
    func contains(_ record: CacheRecord) -> Bool {
        guard let clientID = record.keys.clientID, let homeAccountID = record.keys.homeAccountID else { return false }
        return pairs.contains(Pair(clientID: clientID, homeAccountID: homeAccountID))
    }
}
