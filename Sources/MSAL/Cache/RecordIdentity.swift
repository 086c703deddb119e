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

/// The identity of a record: its kind and its normalized key parts.
package struct RecordIdentity: Sendable, Hashable {
    let kind: RecordKind
    /// The normalized parts in the kind's fixed order; an absent part is empty.
    let parts: [String]

    init(_ kind: RecordKind, parts: [String]) {
        self.kind = kind
        self.parts = parts
    }

    /// The whole identity as one text. The separator is a control character, which valid parts do not contain.
    var text: String { ([String(kind.rawValue)] + parts).joined(separator: "\u{1F}") }

    /// The normalized account of the record; `nil` for a record without an account. App-only tokens have an empty one.
    var homeAccountID: String? {
        switch kind {
        case .accessToken, .refreshToken, .idToken, .account: parts.first
        case .accountMetadata: parts.last.flatMap { $0.isEmpty ? nil : $0 }
        case .appMetadata: nil
        }
    }

    /// Whether no part contains the separator, which would let two identities have the same text.
    var isSound: Bool { !parts.contains { $0.utf8.contains(0x1F) } }
}

extension String {
    /// Trimmed and lowercased, as accounts, clients, realms, and environments are compared.
    var normalizedKey: String {
        // The common case, a key that is already normalized, takes one pass and no allocation.
        isNormalKey ? self : trimmed.lowercased()
    }

    /// Whether the text certainly needs no normalization.
    fileprivate var isNormalKey: Bool { utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) } }

    /// The scopes of a space-separated list in lowercase.
    var scopeKeys: Set<String> {
        // Nearly every list is plain ASCII, whose whitespace is known without looking up each character's properties.
        guard utf8.allSatisfy({ $0 < 0x80 }) else {
            return Set(split(whereSeparator: \.isWhitespace).map { $0.lowercased() })
        }
        let text = utf8.contains { (0x41...0x5A).contains($0) } ? lowercased() : self
        return Set(text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { String(Substring($0)) })
    }
}

extension [String] {
    /// Normalizes each text. If all texts are already normalized, the result shares the memory of this array.
    var normalizedKeys: [String] { allSatisfy(\.isNormalKey) ? self : map(\.normalizedKey) }
}
