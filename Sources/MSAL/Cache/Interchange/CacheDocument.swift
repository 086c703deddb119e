// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// A token cache in the unified schema, read from the text of any library and not yet stored.
package struct CacheDocument: Sendable {
    /// The number of bytes that a text may have unless the caller sets another limit: 256 MiB.
    package static let maximumSize = 256 << 20
    /// The deepest nesting that is read. A cache has four levels; unknown sections may have more.
    static let maximumDepth = 64

    /// The newest record of the text for each identity.
    private(set) var records: [CacheRecord] = []
    /// The places of the records by the hashes of their identities; see ``place(of:)``. A table of identities would take
    /// as much memory as the records do beside their tokens.
    private var places: [Int: Int] = [:]
    /// Unusable entries by section and name, and unknown sections as a whole under an empty name; verbatim.
    private(set) var extras: [ExtraItem] = []
    /// The number of records of account metadata that were skipped.
    private(set) var ignoredCount = 0

    /// A document without anything.
    package init() {}

    /// Reads the text of a cache.
    ///
    /// The keys of entries are ignored: identity comes from the fields (docs/reference/Cache.md#import-fields). Base64
    /// around the JSON is decoded, because .NET and Go keep their cache in this form in the Secret Service. An empty
    /// text is an empty cache.
    ///
    /// - Throws: If the text is too long, no JSON, or of another shape; nothing of it can be used then.
    package init(parsing text: Data, maximumSize: Int = Self.maximumSize) throws(InterchangeError) {
        guard text.count <= maximumSize else { throw .tooLarge(maximumSize) }
        guard text.contains(where: { !Self.isWhitespace($0) }) else { return }
        let whole: JSONPart
        do {
            // The whole text is checked before anything is made of it. Then each entry becomes a record by itself: all
            // values at once would take several times the memory of the text.
            whole = try JSONPart(checking: Self.unwrapped(text), maximumDepth: Self.maximumDepth)
        } catch {
            throw .malformed(error)
        }
        guard let sections = whole.members else { throw .notACache("the outermost value is not an object") }
        // Without this check, JSON of any other program would be kept silently, with the secrets in it.
        guard sections.isEmpty || sections.contains(where: { CacheSection.isKnown($0.name) }) else {
            throw .notACache("it has none of the sections, such as AccessToken")
        }
        var texts: SharedTexts? = SharedTexts()
        // The order is fixed: if several entries are equal, the same one wins each time.
        for (name, section) in sections { try read(section, named: name, sharing: &texts) }
    }

    /// The record of this identity.
    func record(_ identity: RecordIdentity) -> CacheRecord? { place(of: identity).place.map { records[$0] } }

    private mutating func read(
        _ content: JSONPart,
        named name: String,
        sharing texts: inout SharedTexts?
    ) throws(InterchangeError) {
        if CacheSection.accountMetadata.contains(name) {
            ignoredCount += content.members?.count ?? 0
            return
        }
        guard let section = CacheSection(rawValue: name) else {
            extras.append(ExtraItem(section: name, name: "", value: content.value))
            return
        }
        if content.isNull { return }
        guard let entries = content.members else { throw .notACache("\(name) is not an object") }
        for (key, part) in entries {
            let entry = part.value(sharing: &texts)
            if let members = entry.object, let kind = section.kind(of: members),
                let record = CacheRecord(kind: kind, members: members), record.identity.isSound,
                record.canBeSent
            {
                add(record)
            } else {
                extras.append(ExtraItem(section: name, name: key, value: entry))
            }
        }
    }

    private mutating func add(_ record: CacheRecord) {
        let (hash, place) = place(of: record.identity)
        if let place {
            records[place] = record.merged(with: records[place])
        } else {
            places[hash] = records.count
            records.append(record)
        }
    }

    /// The place of the record of this identity, `nil` if there is none; and the number under which `places` has it.
    /// That is the hash of the identity, or the next free number if another one has the same hash.
    private func place(of identity: RecordIdentity) -> (hash: Int, place: Int?) {
        var hash = identity.hashValue
        while let place = places[hash] {
            if records[place].identity == identity { return (hash, place) }
            hash &+= 1
        }
        return (hash, nil)
    }

    private static func unwrapped(_ text: Data) -> Data {
        // JSON begins with a bracket or a mark; base64 has neither.
        guard let first = text.first(where: { !isWhitespace($0) }), first < 0x80,
            Character(Unicode.Scalar(first)).isLetter,
            let decoded = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
            decoded.first == UInt8(ascii: "{")
        else { return text }
        return decoded
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension CacheRecord {
    /// Whether a header can carry the access token (RFC 6750 §2.1). A line break in it would begin another header.
    fileprivate var canBeSent: Bool {
        guard case .accessToken(let record) = self else { return true }
        return record.secret.exposed.isBearerToken
    }
}
