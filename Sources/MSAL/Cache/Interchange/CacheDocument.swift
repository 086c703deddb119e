// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

/// A token cache in the unified schema, parsed from any library's text and not yet stored.
package struct CacheDocument: Sendable {
    /// The default maximum size of a text in bytes: 256 MiB.
    package static let maximumSize = 256 << 20
    /// The maximum nesting depth. A cache has four levels; unknown sections may have more.
    static let maximumDepth = 64

    /// The newest record in the text for each identity.
    private(set) var records: [CacheRecord] = []
    /// The indexes of the records by the hashes of their identities; see ``place(of:)``. A table of identities would
    /// take as much memory as the records do without their tokens.
    private var places: [Int: Int] = [:]
    /// Unusable entries by section and name, and whole unknown sections under an empty name; verbatim.
    private(set) var extras: [ExtraItem] = []
    /// The number of records of account metadata that were skipped.
    private(set) var ignoredCount = 0

    /// Creates an empty document.
    package init() {}

    /// Parses the text of a cache.
    ///
    /// Ignores the keys of entries: the identity is determined by the fields (docs/reference/Cache.md#import-fields).
    /// Decodes base64 around the JSON because .NET and Go keep their cache in this form in the Secret Service. An empty
    /// text is an empty cache.
    ///
    /// - Throws: If the text is too long, is not JSON, or has another structure; none of it can be used.
    package init(parsing text: Data, maximumSize: Int = Self.maximumSize) throws(InterchangeError) {
        guard text.count <= maximumSize else { throw .tooLarge(maximumSize) }
        guard text.contains(where: { !Self.isWhitespace($0) }) else { return }
        let whole: JSONPart
        do {
            // The whole text is checked before any value is created. Then each entry becomes a separate record: all
            // values at once would take several times the memory of the text.
            whole = try JSONPart(checking: Self.unwrapped(text), maximumDepth: Self.maximumDepth)
        } catch {
            throw .malformed(error)
        }
        guard let sections = whole.members else { throw .notACache("the outermost value is not an object") }
        // Without this check, JSON of any other program would be stored silently, including its secrets.
        guard sections.isEmpty || sections.contains(where: { CacheSection.isKnown($0.name) }) else {
            throw .notACache("it has none of the sections, such as AccessToken")
        }
        var texts: StringInterner? = StringInterner()
        // The order is fixed, so that the same one of several equal entries is used each time.
        for (name, section) in sections { try read(section, named: name, sharing: &texts) }
    }

    /// The record with this identity.
    func record(_ identity: RecordIdentity) -> CacheRecord? { place(of: identity).place.map { records[$0] } }

    private mutating func read(
        _ content: JSONPart,
        named name: String,
        sharing texts: inout StringInterner?
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

    /// The index of the record with this identity, `nil` if there is none, and its key in `places`: the hash of the
    /// identity, or the next free number if another identity has the same hash.
    private func place(of identity: RecordIdentity) -> (hash: Int, place: Int?) {
        var hash = identity.hashValue
        while let place = places[hash] {
            if records[place].identity == identity { return (hash, place) }
            hash &+= 1
        }
        return (hash, nil)
    }

    private static func unwrapped(_ text: Data) -> Data {
        // JSON begins with a bracket or a byte order mark; base64 has neither.
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
    /// Whether a header can contain the access token (RFC 6750 §2.1). A line break in it would begin another header.
    fileprivate var canBeSent: Bool {
        guard case .accessToken(let record) = self else { return true }
        return record.secret.exposed.isBearerToken
    }
}

/// The reason why a text could not be parsed as a token cache. The store is unchanged.
package enum InterchangeError: Error, Sendable, Hashable {
    /// The text has more bytes than this limit.
    case tooLarge(Int)
    /// The text is not JSON. The fault contains the position.
    case malformed(JSONReader.Fault)
    /// The text is JSON, but not a cache in the unified schema. The reason is a sentence without a period.
    case notACache(String)

    /// Describes the cause and a remedy, without quoting the text.
    var message: String {
        switch self {
        case .tooLarge(let maximumSize):
            let limit = maximumSize.isMultiple(of: 1 << 20) ? "\(maximumSize >> 20) MiB" : "\(maximumSize) bytes"
            return "The text is longer than \(limit), the limit that is set for a token cache."
        case .malformed(let fault):
            return "This is not valid JSON: \(fault). If the program that wrote it was interrupted, write it again."
        case .notACache(let reason):
            return "This is not a token cache in the unified schema: \(reason)."
        }
    }
}
