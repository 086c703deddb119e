// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The kinds of records that a store keeps; the numbers are those of the Apple libraries.
package enum RecordKind: Int, Sendable, Hashable, CaseIterable {
    case accessToken = 2001
    case refreshToken = 2002
    case idToken = 2003
    case account = 1003
    case appMetadata = 3001
    case accountMetadata = 5001
}

/// The identity of a record: its kind and its normalised key parts.
package struct RecordIdentity: Sendable, Hashable {
    let kind: RecordKind
    /// The parts in a fixed order of the kind, already normalised; an absent part is empty.
    let parts: [String]

    init(_ kind: RecordKind, parts: [String]) {
        self.kind = kind
        self.parts = parts
    }

    /// One text for the whole identity. The separator is a control character, which no part of a sound one contains.
    var text: String { ([String(kind.rawValue)] + parts).joined(separator: "\u{1F}") }

    /// The account of the record, normalised; `nil` for a record of no account. App-only tokens have the empty one.
    var homeAccountID: String? {
        switch kind {
        case .accessToken, .refreshToken, .idToken, .account: parts.first
        case .accountMetadata: parts.last.flatMap { $0.isEmpty ? nil : $0 }
        case .appMetadata: nil
        }
    }

    /// Whether no part has the separator, which would let two identities look alike.
    var isSound: Bool { !parts.contains { $0.utf8.contains(0x1F) } }
}

extension String {
    /// Trimmed and in lower case, as account, client, realm and environment are compared.
    var normalizedKey: String {
        // The common case, a key that is normal already, costs one pass and no allocation.
        isNormalKey ? self : trimmed.lowercased()
    }

    /// Whether there is surely nothing to normalise.
    fileprivate var isNormalKey: Bool {
        utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }

    /// The scopes of a space-separated list in lower case.
    var scopeKeys: Set<String> {
        // Nearly every list is plain ASCII, whose white space is known without asking for each character's properties.
        guard utf8.allSatisfy({ $0 < 0x80 }) else {
            return Set(split(whereSeparator: \.isWhitespace).map { $0.lowercased() })
        }
        let text = utf8.contains { (0x41...0x5A).contains($0) } ? lowercased() : self
        return Set(text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { String(Substring($0)) })
    }
}

extension [String] {
    /// Each text normalised. If all texts are normalised already, it is the same array, which shares its memory.
    var normalizedKeys: [String] { allSatisfy(\.isNormalKey) ? self : map(\.normalizedKey) }
}
