// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// The MAC of an encrypted store: HMAC-SHA256 with a subkey of its wrapping key.
///
/// It covers everything that is read before a row can be opened: the schema version, the store's identifier, the
/// location and the name of the wrapping key, and every row of `keys`. A program that can write the file but lacks the
/// key cannot change any of it unnoticed. Counters are not covered because they increase without the key.
struct StoreMAC: Sendable {
    private let key: KeyMaterial

    /// `root`: The wrapping key. The result is `nil` only if memory is exhausted.
    init?(_ root: KeyMaterial) {
        guard let key = root.subkey(.vouch) else { return nil }
        self.key = key
    }

    /// The MAC for a store.
    func code(for stored: StoredKeys) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: stored.authenticatedData, using: key.symmetric))
    }

    /// Whether the store has exactly this MAC; compared in constant time.
    func vouches(for stored: StoredKeys) -> Bool {
        guard let code = stored.mac else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            code,
            authenticating: stored.authenticatedData,
            using: key.symmetric
        )
    }
}

extension StoredKeys {
    /// The bytes that the MAC covers, whatever the order of the rows.
    fileprivate var authenticatedData: Data {
        var parts = [String(schema), store, wrapping.provider.rawValue, wrapping.id].map { Data(utf8: $0) }
        for row in rows.sorted(by: { ($0.id, $0.wrappedBy) < ($1.id, $1.wrappedBy) }) {
            parts += [Data(utf8: row.id), Data(utf8: row.wrappedBy), row.wrapped]
            parts += [row.state?.rawValue ?? "", String(row.created), String(row.since)].map { Data(utf8: $0) }
        }
        return [UInt8](framing: parts).withUnsafeBufferPointer { Data(buffer: $0) }
    }
}
